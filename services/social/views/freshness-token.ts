import type { EpochRow } from "../store/freshness/epoch.ts";
import type { ProfileRelation } from "../store/rows.ts";

/** The state of a user's row: what it shows to anonymous callers, or how the user sees others. */
export interface FreshnessState extends EpochRow {
  user_id: bigint;
  content_version: bigint;
  counters_version: bigint;
}

/**
 * The freshness token of that state: with equal tokens, profile and timeline are equal (design §5). Protection is a change of
 * content. All tokens are made here, so that those of pages and those of ListTokens agree.
 */
export function freshnessToken({ user_id, content_version, counters_version, epoch }: FreshnessState): string {
  return `${user_id.toString(36)}.${content_version.toString(36)}.${counters_version.toString(36)}.${epochWord(epoch)}`;
}

function epochWord(epoch: string): string {
  if (epoch !== last.epoch) last = { epoch, word: BigInt.asUintN(64, BigInt(epoch)).toString(36) };
  return last.word;
}

/** Stored because all rows of a server have the same epoch, and writing it takes as long as the rest of a token. */
let last = { epoch: "", word: "" };

/** The token of the viewer for whom a row was read, of the same moment; undefined for a viewer without a profile. */
export function viewerToken(
  viewer: bigint,
  row: Pick<ProfileRelation, "viewer_version" | "viewer_epoch">,
): string | undefined {
  if (row.viewer_version === null || row.viewer_epoch === null) return undefined;
  const epoch = row.viewer_epoch;
  return freshnessToken({ user_id: viewer, content_version: BigInt(row.viewer_version), counters_version: 0n, epoch });
}
