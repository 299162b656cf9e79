import { contentDigest } from "./digest.ts";

/** One caller's search, to which its cursors belong. */
export interface Search {
  operation: "users" | "statuses";
  q: string;
  /** Undefined for an anonymous caller. */
  viewer: bigint | undefined;
}

/** The cursor of a position: a text that is valid for this search only. @param position of letters, digits and `_.-` */
export function writeSearchCursor(position: string, search: Search): string {
  return Buffer.from(`${position} ${searchChecksum(position, search)}`).toString("base64url");
}

/** The position of a cursor, undefined for the beginning. */
export function readSearchCursor(cursor: string, search: Search): { position: string | undefined } | "bad" {
  if (cursor === "") return { position: undefined };
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const match = forms[search.operation].exec(text);
  if (match === null || Buffer.from(text).toString("base64url") !== cursor) return "bad";
  const [, position = "", checksum] = match;
  return checksum === searchChecksum(position, search) ? { position } : "bad";
}

/** Of users the name key; of statuses id and author. */
const forms = { users: /^([\w.-]{1,64}) ([\w-]+)$/, statuses: /^(\d{1,16}\.\d{1,16}) ([\w-]+)$/ };

/** Makes cursors of different searches different. It is no secret: a forged cursor only gives another page of the same search. */
function searchChecksum(position: string, { operation, q, viewer }: Search): string {
  return contentDigest([position, operation, q, viewer ?? null])
    .subarray(0, 6)
    .toString("base64url");
}
