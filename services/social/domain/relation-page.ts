import { type BadField, badField, invalidFields } from "../../platform/errors.ts";
import { isId } from "../../platform/rules/ids.ts";
import { contentDigest } from "./digest.ts";

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

/** Reads the paging fields: 100 when the size is left out; more than 200 is reduced to 200. @throws InvalidArgument */
export function parseRelationPage(request: { pageSize?: number; cursor: string }, list: RelationList): RelationPage {
  const { pageSize = 100, cursor } = request;
  const after = readCursor(cursor, list);
  const bad: BadField[] = [];
  if (!isId(list.userId)) bad.push(badField("userId", "InclusiveBetween", "'User Id' must be an id."));
  if (pageSize < 1) bad.push(badField("pageSize", "InclusiveBetween", "'Page Size' must be between 1 and 200."));
  if (after === "bad") bad.push(badCursor());
  if (bad.length > 0 || after === "bad") throw invalidFields(bad);
  return { take: Math.min(pageSize, 200), after };
}

export function badCursor(): BadField {
  return badField("cursor", "RegularExpression", "'Cursor' must be one that a page of this list named.");
}

/** The cursor of a position: a text that is valid for this list only. */
export function writeCursor({ at, userId }: RelationPosition, list: RelationList): string {
  return Buffer.from(`${at}.${userId}.${listChecksum(`${at}.${userId}`, list)}`).toString("base64url");
}

/** The position of a cursor; undefined for the beginning. */
export function readCursor(cursor: string, list: RelationList): RelationPosition | undefined | "bad" {
  if (cursor === "") return undefined;
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const match = /^((\d{1,16})\.(\d{1,16}))\.([\w-]+)$/.exec(text);
  if (match === null || Buffer.from(text).toString("base64url") !== cursor) return "bad";
  const [, position = "", at = "", userId = "", checksum] = match;
  return checksum === listChecksum(position, list) ? { at: BigInt(at), userId: BigInt(userId) } : "bad";
}

/** Makes cursors of different lists different. It is no secret: a forged cursor only gives another page of the same list. */
function listChecksum(position: string, { name, userId }: RelationList): string {
  return contentDigest([position, name, userId]).subarray(0, 6).toString("base64url");
}
