import { Code, ConnectError } from "@connectrpc/connect";
import { ResponseStatusSchema } from "../../../proto/gen/contract/v1/response_status_pb.ts";
import { signInFirstMessage } from "../../../services/platform/errors.ts";
import { unavailable } from "./catalog.ts";
import { PublicError, type PublicErrorParts } from "./public-error.ts";

/**
 * The public face of anything that was thrown while a request was served. A service's own words, which come as a
 * ResponseStatus detail, are shown for 4xx only; anything else gets a fixed sentence and the reference that is in the
 * log, since a 5xx may hold addresses, queries and stack traces.
 */
export function toPublicError(error: unknown, reference: string): PublicError {
  if (error instanceof PublicError) return error;
  const row = error instanceof ConnectError ? faceOf(error) : defect;
  if (row.status >= 500) return withReference(row, reference);
  const words = wordsOf(error as ConnectError);
  if (words !== undefined) return new PublicError({ ...row, ...words, ...retryAfterOf(error as ConnectError) });
  // A service says why it refuses a caller. Without words it is the gateway that was: its token is wrong.
  return row.aboutCaller ? withReference(defect, reference) : new PublicError(row);
}

type Face = PublicErrorParts & { aboutCaller?: boolean };

const retryAfter = 1;
const defect: Face = { status: 500, errorCode: "InternalServerError", message: "Something went wrong on our side." };
const refused: Face = { status: 400, errorCode: "BadRequest", message: "The request was refused." };
const outdated: Face = { status: 409, errorCode: "Conflict", message: "It was changed in the meantime." };

function faceOf(error: ConnectError): Face {
  // Aborted is also what a broken connection arrives as, and a write that conflicted with others: these may be tried again.
  if (error.code === Code.Aborted && wordsOf(error)?.errorCode === outdated.errorCode) return outdated;
  return faces[error.code] ?? defect;
}

/** Code → status and, where the service brings none, words. Every other code is a defect. */
const faces: Partial<Record<Code, Face>> = {
  [Code.InvalidArgument]: refused,
  [Code.AlreadyExists]: refused,
  [Code.FailedPrecondition]: refused,
  [Code.OutOfRange]: refused,
  [Code.Unauthenticated]: { status: 401, errorCode: "Unauthorized", message: signInFirstMessage, aboutCaller: true },
  [Code.PermissionDenied]: { status: 403, errorCode: "Forbidden", message: "Not allowed.", aboutCaller: true },
  [Code.NotFound]: { status: 404, errorCode: "NotFound", message: "There is no such thing." },
  [Code.Unimplemented]: {
    status: 405,
    errorCode: "NotImplementedException",
    message: "This operation is not available.",
  },
  [Code.ResourceExhausted]: { status: 429, errorCode: "TooManyRequests", message: "Too many requests.", retryAfter },
  [Code.Unavailable]: unavailable,
  // A connection that breaks in mid-call arrives as Aborted.
  [Code.Aborted]: unavailable,
  [Code.DeadlineExceeded]: { status: 504, errorCode: "Timeout", message: "The answer took too long." },
};

function withReference(face: Face, reference: string): PublicError {
  return new PublicError({ ...face, message: `${face.message} Reference: ${reference}` });
}

/** When another try makes sense, where the service knows better than the table. */
function retryAfterOf({ metadata }: ConnectError): Pick<PublicErrorParts, "retryAfter"> {
  const seconds = metadata.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(seconds) ? { retryAfter: Number(seconds) } : {};
}

function wordsOf(error: ConnectError): Pick<PublicErrorParts, "errorCode" | "message" | "errors"> | undefined {
  const [detail] = error.findDetails(ResponseStatusSchema);
  if (!detail?.errorCode) return undefined;
  return { errorCode: detail.errorCode, message: detail.message ?? "", errors: detail.errors };
}
