import type { ConnectError } from "@connectrpc/connect";
import { type BadField, badField, invalid } from "../errors.ts";

/** The fault of a request id that is not a UUID in the usual form, in either case. */
export function requestIdFault(requestId: string): BadField | undefined {
  if (requestId === "") return badField("requestId", "NotEmpty", "'Request Id' should not be empty.");
  return uuid.test(requestId) ? undefined : badField("requestId", "RegularExpression", "'Request Id' must be a UUID.");
}

/** The request id was used for another request. */
export function usedRequestId(): ConnectError {
  return invalid("requestId", "Equal", "'Request Id' was used for another request.");
}

/** Hours after which a request is forgotten. Callers may repeat one for 72 hours; one more for slow clocks and long retries. */
export const requestHours = 73;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
