import { readListCursor, writeListCursor } from "./list-cursor.ts";

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

/** The position of a cursor; undefined for the beginning. */
export function readCursor(cursor: string, list: RelationList): RelationPosition | undefined | "bad" {
  if (cursor === "") return undefined;
  const [at, userId, ...others] = readListCursor(cursor, [list.name, list.userId]);
  return at === undefined || userId === undefined || others.length > 0 ? "bad" : { at, userId };
}
