import { badField } from "../../platform/errors.ts";
import { contentDigest } from "./digest.ts";

/** The list to which a cursor belongs: its name and the ids of whose it is. */
export type ListScope = readonly [name: string, ...ids: bigint[]];

export function badCursor() {
  return badField("cursor", "RegularExpression", "'Cursor' must be one that a page of this list named.");
}

/** A text of the numbers that name a position, which is valid for this list only. */
export function writeListCursor(position: readonly bigint[], scope: ListScope): string {
  const text = position.join(".");
  return Buffer.from(`${text}.${checksum(text, scope)}`).toString("base64url");
}

/** The numbers of a cursor; none for a text that writeListCursor did not make for this list. */
export function readListCursor(cursor: string, scope: ListScope): bigint[] {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, position = "", sum] = /^((?:\d{1,16}\.)*\d{1,16})\.([\w-]+)$/.exec(text) ?? [];
  const isOurs = sum === checksum(position, scope) && Buffer.from(text).toString("base64url") === cursor;
  return isOurs ? position.split(".").map(BigInt) : [];
}

/** Makes cursors of different lists different. It is no secret: a forged cursor only gives another page of the same list. */
function checksum(position: string, scope: ListScope): string {
  return contentDigest([position, ...scope])
    .subarray(0, 6)
    .toString("base64url");
}
