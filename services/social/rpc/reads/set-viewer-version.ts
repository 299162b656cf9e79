import { shownUsersHeader, viewerVersionHeader } from "../../../platform/connect/identity.ts";
import type { ProfileRelation } from "../../store/rows.ts";
import { viewerVersionOf } from "../../views/version.ts";

/**
 * Sets the headers of a reply with the viewer's version at the read, so that the reply can be cached under it, and with the users on
 * whose relation to the viewer it depends. It sets none where the rows were read in several versions.
 * @param userIds all users whose relation to the viewer was read; undefined for a reply that is not cached
 */
export function setViewerVersion(
  header: Headers,
  viewer: bigint | undefined,
  rows: readonly Pick<ProfileRelation, "viewer_version" | "viewer_epoch" | "is_one_read">[],
  userIds?: readonly bigint[],
): void {
  if (viewer === undefined) return;
  const versions = new Set(rows.map((row) => viewerVersionOf(viewer, row)));
  const [version] = versions;
  // Without a version the viewer has no profile, or had none in one of the reads.
  if (version === undefined || versions.size > 1 || !rows.every((row) => row.is_one_read)) return;
  header.set(viewerVersionHeader, version);
  if (userIds === undefined) return;
  const shown = [...new Set(userIds)];
  if (shown.length <= maxShown) header.set(shownUsersHeader, shown.join(","));
}

/** Ids have up to 16 digits, and Node reads at most 16 KB of headers. */
const maxShown = 250;
