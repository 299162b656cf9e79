import {
  entryUsersHeader,
  shownUsersHeader,
  viewerSeenHeader,
  viewerStateHeader,
} from "../../../platform/connect/identity.ts";
import type { ProfileRelation } from "../../store/rows.ts";
import { viewerToken } from "../../views/freshness-token.ts";

/**
 * Sets the headers of a reply with the viewer's state at the read, so that the reply can be cached under it, and with the users on
 * whose relation to the viewer it depends. Where the rows were read in several states it names the newest one only, under which nothing is
 * cached.
 * @param userIds all users whose relation to the viewer was read; undefined for a reply that is not cached
 * @param entries the same for each entry of a list whose entries are cached
 */
export function setViewerState(
  header: Headers,
  viewer: bigint | undefined,
  rows: readonly Pick<ProfileRelation, "viewer_version" | "viewer_epoch" | "is_one_read">[],
  userIds?: readonly bigint[],
  entries?: readonly (readonly bigint[])[],
): void {
  // Without a version the viewer has no profile, or had none in one of the reads.
  if (viewer === undefined || rows.length === 0 || rows.some((row) => row.viewer_version === null)) return;
  const newest = rows.reduce((best, row) => (Number(row.viewer_version) > Number(best.viewer_version) ? row : best));
  const { viewer_version: version, viewer_epoch: epoch } = newest;
  const isOne = rows.every((row) => row.is_one_read && row.viewer_version === version && row.viewer_epoch === epoch);
  const token = viewerToken(viewer, newest) as string;
  if (!isOne) {
    header.set(viewerSeenHeader, token);
    return;
  }
  header.set(viewerStateHeader, token);
  if (userIds === undefined) return;
  const shown = [...new Set(userIds)];
  if (shown.length > maxShown) return;
  header.set(shownUsersHeader, shown.join(","));
  if (entries !== undefined) header.set(entryUsersHeader, entries.map((ids) => ids.join(";")).join(","));
}

/** Ids have up to 16 digits, and Node reads at most 16 KB of headers. */
const maxShown = 250;
