import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import type { Relations } from "./relation-digests.ts";

/** A viewer in one state. */
export interface Viewer {
  /** The viewer's own state. */
  token: FreshnessToken;
  /** The viewer's relations in that state; undefined where they are not known. */
  relations: Relations | undefined;
}

/** Stands for users that the service does not list, such as too many: what shows them is cached for each state of the viewer. */
export const unlisted: readonly string[] = [];

/**
 * The part that depends on the viewer in the key of what shows these users: the viewer's relations to them ("" for none), or the viewer's whole state.
 * Relations begin with a comma, which no state has, so that the two are never equal.
 * @param userIds undefined where it is not known which users it shows
 */
export function viewerPart(userIds: readonly string[] | undefined, { token, relations }: Viewer): string | undefined {
  if (relations === undefined || userIds === unlisted) return token;
  return userIds && relations.to(userIds);
}

/** The same for what was made in the viewer's state `own`, which may be later than that of the relations. */
export function viewerPartOf(
  userIds: readonly string[] | undefined,
  own: FreshnessToken,
  { relations }: Viewer,
): string {
  return userIds && relations?.token === own ? relations.to(userIds) : own;
}
