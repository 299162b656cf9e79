import { type BadField, badField, invalidFields } from "../../platform/errors.ts";
import { isId } from "../../platform/storable.ts";

/** Which relations of a user are asked for: at most `take` of those behind `after`, newest first. */
export interface RelationPage {
  /** 1 to 200. */
  take: number;
  after: RelationPlace | undefined;
}

/** A place in a list of relations: when one began, in microseconds since 1970, and with whom. */
export interface RelationPlace {
  at: bigint;
  userId: bigint;
}

/** Reads the paging fields: 100 when the size is left out, more than 200 is cut. Throws InvalidArgument. */
export function parseRelationPage(request: { userId: bigint; pageSize?: number; cursor: string }): RelationPage {
  const { pageSize = 100, cursor } = request;
  const after = cursor === "" ? undefined : readCursor(cursor);
  const bad: BadField[] = [];
  if (!isId(request.userId)) bad.push(badField("userId", "InclusiveBetween", "'User Id' must be an id."));
  if (pageSize < 1) bad.push(badField("pageSize", "InclusiveBetween", "'Page Size' must be between 1 and 200."));
  if (after === "bad") bad.push(badField("cursor", "RegularExpression", "'Cursor' must be one that a page named."));
  if (bad.length > 0 || after === "bad") throw invalidFields(bad);
  return { take: Math.min(pageSize, 200), after };
}

/** A place as text that callers only hand back. */
export function writeCursor({ at, userId }: RelationPlace): string {
  return Buffer.from(`${at}.${userId}`).toString("base64url");
}

function readCursor(cursor: string): RelationPlace | "bad" {
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  return match?.[1] && match[2] ? { at: BigInt(match[1]), userId: BigInt(match[2]) } : "bad";
}
