import { badField } from "../../platform/errors.ts";
import { contentDigest } from "./digest.ts";

/** The list to which a cursor belongs: its name and the ids of whose it is. */
export type ListScope = readonly [name: string, ...ids: bigint[]];

/** Makes cursors of different lists different. It is no secret: a forged cursor only gives another page of the same list. */
function checksum(position: string, scope: readonly unknown[]): string {
  return contentDigest([position, ...scope])
    .subarray(0, 6)
    .toString("base64url");
}

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

/** Which relations of a user to list: at most `take` of those after `after`, newest first. */
export interface RelationPage {
  /** 1 to 200. */
  take: number;
  after: RelationPosition | undefined;
}

/** A position in a list of relations: when the relation began, in microseconds since 1970, and with whom. */
export interface RelationPosition {
  at: bigint;
  userId: bigint;
}

/** A list of one user, to which a cursor belongs. */
export interface RelationList {
  name: "followers" | "friends" | "requests" | "blocks" | "mutes";
  userId: bigint;
}

/** The cursor of a position: a text that is valid for this list only. */
export function writeCursor({ at, userId }: RelationPosition, { name, userId: owner }: RelationList): string {
  return writeListCursor([at, userId], [name, owner]);
}

/** The position of a cursor; "bad" for a text that writeCursor did not make for this list. */
export function readCursor(cursor: string, list: RelationList): RelationPosition | "bad" {
  const [at, userId, ...others] = readListCursor(cursor, [list.name, list.userId]);
  return at === undefined || userId === undefined || others.length > 0 ? "bad" : { at, userId };
}

/** One caller's search, to which its cursors belong. */
export interface Search {
  operation: "users" | "statuses";
  q: string;
  /** Undefined for an anonymous caller. */
  viewer: bigint | undefined;
}

/** The cursor of a position: a text that is valid for this search only. @param position of letters, digits and `_.-` */
export function writeSearchCursor(position: string, search: Search): string {
  return Buffer.from(`${position} ${checksum(position, scopeOf(search))}`).toString("base64url");
}

/** The position of a cursor; "bad" for a text that writeSearchCursor did not make for this search. */
export function readSearchCursor(cursor: string, search: Search): { position: string } | "bad" {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const match = forms[search.operation].exec(text);
  if (match === null || Buffer.from(text).toString("base64url") !== cursor) return "bad";
  const [, position = "", sum] = match;
  return sum === checksum(position, scopeOf(search)) ? { position } : "bad";
}

/** Of users the name key; of statuses id and author. */
const forms = { users: /^([\w.-]{1,64}) ([\w-]+)$/, statuses: /^(\d{1,16}\.\d{1,16}) ([\w-]+)$/ };

function scopeOf({ operation, q, viewer }: Search) {
  return [operation, q, viewer ?? null];
}
