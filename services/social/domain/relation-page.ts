import { type BadField, badField } from "../../platform/errors.ts";
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
