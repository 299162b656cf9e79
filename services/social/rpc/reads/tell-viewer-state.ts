import { shownUsersHeader, viewerStateHeader } from "../../../platform/connect/identity.ts";
import { viewerToken } from "../../views/freshness-token.ts";

/**
 * Says in a reply's headers in what state the viewer was when its rows were read, so that the reply can be cached under it, and
 * what the viewer has to do with which users it shows. Says nothing when the rows were read in several states.
 * @param userIds of all whose relation to the viewer was looked at
 */
export function tellViewerState(
  header: Headers,
  viewer: bigint | undefined,
  rows: readonly Parameters<typeof viewerToken>[1][],
  userIds: readonly bigint[],
): void {
  if (viewer === undefined) return;
  const [token, ...others] = new Set(rows.map((row) => viewerToken(viewer, row)));
  if (token === undefined || others.length > 0) return;
  header.set(viewerStateHeader, token);
  const shown = [...new Set(userIds)];
  if (shown.length <= maxShown) header.set(shownUsersHeader, shown.join(","));
}

/** Ids of up to 16 digits: headers of 16 KB are the most that Node reads. */
const maxShown = 250;
