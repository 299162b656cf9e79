import { entryUsersHeader, shownUsersHeader, viewerStateHeader } from "../../../platform/connect/identity.ts";
import { viewerToken } from "../../views/freshness-token.ts";

/**
 * Sets the headers of a reply with the viewer's state at the read, so that the reply can be cached under it, and with the users on
 * whose relation to the viewer it depends. Sets none when the rows were read in several states.
 * @param userIds all users whose relation to the viewer was read; undefined for a reply that is not cached
 * @param entries the same for each entry of a list whose entries are cached
 */
export function setViewerState(
  header: Headers,
  viewer: bigint | undefined,
  rows: readonly Parameters<typeof viewerToken>[1][],
  userIds?: readonly bigint[],
  entries?: readonly (readonly bigint[])[],
): void {
  if (viewer === undefined) return;
  const [token, ...others] = new Set(rows.map((row) => viewerToken(viewer, row)));
  if (token === undefined || others.length > 0) return;
  header.set(viewerStateHeader, token);
  if (userIds === undefined) return;
  const shown = [...new Set(userIds)];
  if (shown.length > maxShown) return;
  header.set(shownUsersHeader, shown.join(","));
  if (entries !== undefined) header.set(entryUsersHeader, entries.map((ids) => ids.join(";")).join(","));
}

/** Ids have up to 16 digits, and Node reads at most 16 KB of headers. */
const maxShown = 250;
