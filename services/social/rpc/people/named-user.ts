import { isScreenName } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { unknownScreenName } from "../../domain/errors.ts";
import { findUserId } from "../../store/profiles/find-user-id.ts";

/** The user whom a request names. Looked up before the write begins, so that the write waits in that user's queue as well. */
export interface NamedUser {
  /** Empty when no user has that name; an id may be unknown, too. */
  ids: readonly bigint[];
}

/** Looks a screen name up, unless an internal caller gives the id; no user has an invalid name. */
export async function findNamedUser(
  { pool }: SocialContext,
  { screenName, subjectId }: { screenName: string; subjectId?: bigint },
): Promise<NamedUser> {
  if (subjectId !== undefined) return { ids: [subjectId] };
  const id = isScreenName(screenName) ? await findUserId(pool, screenName) : undefined;
  return { ids: id === undefined ? [] : [id] };
}

/** The id of a named user. @throws NotFound when no user has the name */
export function getNamedId({ ids: [id] }: NamedUser): bigint {
  if (id !== undefined) return id;
  throw unknownScreenName();
}
