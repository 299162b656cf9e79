import type { ProfileRelation } from "../store/rows.ts";
import type { EpochRow } from "../store/versions.ts";

/** The versions of a user's row: of what it shows to anonymous callers, or of how the user sees others. */
export interface VersionsRow extends EpochRow {
  user_id: bigint;
  content_version: bigint;
  counters_version: bigint;
}

/**
 * The version of a user: while it is the same, profile and timeline are the same (design §5). Protection is a change of content. All
 * are made here, so that those of pages and those of ListVersions agree.
 */
export function versionOf({ user_id, content_version, counters_version, epoch }: VersionsRow): string {
  const numbers = [user_id, content_version, counters_version, BigInt.asUintN(64, BigInt(epoch))];
  return numbers.map((number) => number.toString(36)).join(".");
}

/** The version of the viewer for whom a row was read, of the same moment; undefined for a viewer without a profile. */
export function viewerVersionOf(
  viewer: bigint,
  row: Pick<ProfileRelation, "viewer_version" | "viewer_epoch">,
): string | undefined {
  if (row.viewer_version === null || row.viewer_epoch === null) return undefined;
  const epoch = row.viewer_epoch;
  return versionOf({ user_id: viewer, content_version: BigInt(row.viewer_version), counters_version: 0n, epoch });
}

/** The version of a name that no user has. */
export const unknownVersion = "unknown";

/** The version of a suspended user's name, which is refused with another error than an unknown one. */
export const suspendedVersion = "suspended";

/** The version of a viewer without a profile. */
export const absentVersion = "absent";
