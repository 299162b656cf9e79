import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type FieldErrorSchema, ResponseStatusSchema } from "../../proto/gen/contract/v1/response_status_pb.ts";

/** One bad field of a request, as the public JSON shows it (contract §5). */
export type BadField = Required<Pick<MessageInitShape<typeof FieldErrorSchema>, "errorCode" | "fieldName" | "message">>;

/** One bad field. `fieldName` is spelled as the public JSON spells it. */
export function badField(fieldName: string, errorCode: string, message: string): BadField {
  return { fieldName, errorCode, message };
}

/** InvalidArgument for one bad field. */
export function invalid(fieldName: string, errorCode: string, message: string): ConnectError {
  return invalidFields([badField(fieldName, errorCode, message)]);
}

/**
 * InvalidArgument for at least one bad field, in the order of the request's table; the first one is the error's own code and message.
 * AlreadyExists when all of them are names that are taken.
 */
export function invalidFields(errors: readonly BadField[]): ConnectError {
  const [{ errorCode, message }] = errors as [BadField];
  const code = errors.every((error) => error.errorCode === "AlreadyExists") ? Code.AlreadyExists : Code.InvalidArgument;
  return failure(code, errorCode, message, errors);
}

/** @throws what `invalidFields` makes of the faults, where there is one */
export function refuseFields(faults: readonly (BadField | undefined)[]): void {
  const bad = faults.filter((fault) => fault !== undefined);
  if (bad.length > 0) throw invalidFields(bad);
}

/** NotFound: the named resource does not exist. */
export function notFound(message: string): ConnectError {
  return failure(Code.NotFound, "NotFound", message);
}

/** The caller has to authenticate. */
export function unauthenticated(message: string): ConnectError {
  return failure(Code.Unauthenticated, "Unauthorized", message);
}

/** A request for which the caller has to sign in. */
export function signInFirst(): ConnectError {
  return unauthenticated(signInFirstMessage);
}

/** The message for callers without a session; the gateway uses it as well. */
export const signInFirstMessage = "Sign in first.";

/** The caller is known and may not do this. */
export function permissionDenied(message: string, errorCode = "Forbidden"): ConnectError {
  return failure(Code.PermissionDenied, errorCode, message);
}

/** A write of a user whom the operator has suspended. */
export function suspendedActor(): ConnectError {
  return permissionDenied("Your account is suspended.", "Suspended");
}

/** The request is valid, but the present state does not allow it. */
export function failedPrecondition(message: string): ConnectError {
  return failure(Code.FailedPrecondition, "FailedPrecondition", message);
}

/** Two writes blocked each other and this one was abandoned. It changed nothing; trying again helps. */
export function aborted(cause: unknown): ConnectError {
  return failure(Code.Aborted, "ServiceUnavailable", "The service is busy with this at the moment.", [], cause);
}

/** Another write came first and changed the state on which this request was based. It changed nothing. */
export function conflict(message: string): ConnectError {
  return failure(Code.Aborted, "Conflict", message);
}

/** This process has more requests than it can answer in time; the caller may try again. */
export function resourceExhausted(): ConnectError {
  return failure(Code.ResourceExhausted, "TooManyRequests", "Too many requests at once.");
}

/** A rate limit is reached; the caller may try again after `retryAfter` seconds. */
export function tooManyRequests(retryAfter: number): ConnectError {
  const error = failure(Code.ResourceExhausted, "TooManyRequests", "Too many requests.");
  error.metadata.set("retry-after", `${retryAfter}`);
  return error;
}

/** Something that this process depends on is unavailable; the caller may try again. */
export function unavailable(cause?: unknown): ConnectError {
  return failure(Code.Unavailable, "ServiceUnavailable", "The service is not available at the moment.", [], cause);
}

function failure(code: Code, errorCode: string, message: string, errors: readonly BadField[] = [], cause?: unknown) {
  const value = create(ResponseStatusSchema, { errorCode, message, errors: [...errors] });
  return new ConnectError(message, code, undefined, [{ desc: ResponseStatusSchema, value }], cause);
}
