import { type BadField, badField } from "../errors.ts";

/** What is wrong with a request id, which has to be a UUID in the usual form, in either case. */
export function requestIdFault(requestId: string): BadField | undefined {
  if (requestId === "") return badField("requestId", "NotEmpty", "'Request Id' should not be empty.");
  return uuid.test(requestId) ? undefined : badField("requestId", "RegularExpression", "'Request Id' must be a UUID.");
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
