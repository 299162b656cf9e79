import type { EpochRow } from "../store/freshness/epoch.ts";
import type { ProfileRelation } from "../store/rows.ts";

/** The state of a user's row: as far as it shows to anonymous callers, or as far as it says how the user sees others. */
export interface FreshnessState extends EpochRow {
  user_id: bigint;
  content_version: bigint;
  counters_version: bigint;
}

/**
 * A short name for that state: equal tokens, equal profile and timeline (design §5). Protection is a change of content. Every
 * token is made here, so that the one of a page and the one that ListTokens gives agree.
 */
export function freshnessToken({ user_id, content_version, counters_version, epoch }: FreshnessState): string {
  const parts = [user_id, content_version, counters_version, BigInt.asUintN(64, BigInt(epoch))];
  return parts.map((part) => part.toString(36)).join(".");
}

/** The token of the viewer for whom a row was read, of the same moment; undefined for one without a profile. */
export function viewerToken(
  viewer: bigint,
  row: Pick<ProfileRelation, "viewer_version" | "viewer_epoch">,
): string | undefined {
  if (row.viewer_version === null || row.viewer_epoch === null) return undefined;
  const epoch = row.viewer_epoch;
  return freshnessToken({ user_id: viewer, content_version: BigInt(row.viewer_version), counters_version: 0n, epoch });
}
