import { Code, ConnectError } from "@connectrpc/connect";
import { ResponseStatusSchema } from "../../../proto/gen/contract/v1/response_status_pb.ts";
import { signInFirstMessage } from "../../../services/platform/errors.ts";
import { unavailable } from "./catalog.ts";
import { PublicError, type PublicErrorParts } from "./public-error.ts";

/**
 * The public error for anything that was thrown while a request was served. A service's own message, the detail ResponseStatus,
 * is shown for 4xx only. Anything else gets a fixed message and the reference of the log line, since the text of a 5xx may hold
 * addresses, queries and stack traces.
 */
export function toPublicError(error: unknown, reference: string): PublicError {
  if (error instanceof PublicError) return error;
  const row = error instanceof ConnectError ? partsOf(error) : defect;
  if (row.status >= 500) return withReference(row, reference);
  const words = wordsOf(error as ConnectError);
  if (words !== undefined) return new PublicError({ ...row, ...words, ...retryAfterOf(error as ConnectError) });
  // A service explains why it refuses a user. A refusal without a message means that the gateway's service token is wrong.
  return row.aboutCaller ? withReference(defect, reference) : new PublicError(row);
}

type ErrorParts = PublicErrorParts & { aboutCaller?: boolean };

const retryAfter = 1;
const defect: ErrorParts = {
  status: 500,
  errorCode: "InternalServerError",
  message: "Something went wrong on our side.",
};
const refused: ErrorParts = { status: 400, errorCode: "BadRequest", message: "The request was refused." };
const outdated: ErrorParts = { status: 409, errorCode: "Conflict", message: "It was changed in the meantime." };

function partsOf(error: ConnectError): ErrorParts {
  // Aborted also means a write that conflicted with others; it may be tried again.
  if (error.code === Code.Aborted && wordsOf(error)?.errorCode === outdated.errorCode) return outdated;
  return errorsByCode[error.code] ?? defect;
}

/** Code → status, and the message if the service gives none. Every other code is a defect. */
const errorsByCode: Partial<Record<Code, ErrorParts>> = {
  [Code.InvalidArgument]: refused,
  [Code.AlreadyExists]: refused,
  [Code.FailedPrecondition]: refused,
  [Code.OutOfRange]: refused,
  [Code.Unauthenticated]: { status: 401, errorCode: "Unauthorized", message: signInFirstMessage, aboutCaller: true },
  [Code.PermissionDenied]: { status: 403, errorCode: "Forbidden", message: "Not allowed.", aboutCaller: true },
  [Code.NotFound]: { status: 404, errorCode: "NotFound", message: "The resource does not exist." },
  [Code.Unimplemented]: {
    status: 405,
    errorCode: "NotImplementedException",
    message: "This operation is not available.",
  },
  [Code.ResourceExhausted]: { status: 429, errorCode: "TooManyRequests", message: "Too many requests.", retryAfter },
  [Code.Unavailable]: unavailable,
  [Code.Aborted]: unavailable,
  [Code.DeadlineExceeded]: { status: 504, errorCode: "Timeout", message: "The answer took too long." },
};

function withReference(parts: ErrorParts, reference: string): PublicError {
  return new PublicError({ ...parts, message: `${parts.message} Reference: ${reference}` });
}

/** The seconds until another try makes sense, if the service gives them. */
function retryAfterOf({ metadata }: ConnectError): Pick<PublicErrorParts, "retryAfter"> {
  const seconds = metadata.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(seconds) ? { retryAfter: Number(seconds) } : {};
}

function wordsOf(error: ConnectError): Pick<PublicErrorParts, "errorCode" | "message" | "errors"> | undefined {
  const [detail] = error.findDetails(ResponseStatusSchema);
  if (!detail?.errorCode) return undefined;
  return { errorCode: detail.errorCode, message: detail.message ?? "", errors: detail.errors };
}
