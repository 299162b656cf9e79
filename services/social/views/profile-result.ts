import type { ProfileResult } from "../../../proto/gen/social/v1/profiles_pb.ts";
import { canRead } from "../domain/can-read.ts";
import type { ProfileWithStatus } from "../store/profiles/list-profiles.ts";
import { freshnessToken } from "./freshness-token.ts";
import { statusView } from "./status.ts";
import { profileFields } from "./user-summary.ts";

/** Users as SocialUsers shows them, without those who are suspended. */
export function profileResults(rows: readonly ProfileWithStatus[], viewer: bigint | undefined): ProfileResult[] {
  return rows.filter((row) => !row.suspended).map((row) => profileResult(row, viewer));
}

/** One user likewise, suspended or not: the relations only to a viewer, the newest status only to who may read it. */
export function profileResult(row: ProfileWithStatus, viewer: bigint | undefined): ProfileResult {
  const { following, follow_request_sent: followRequestSent, notifications } = row;
  const relation = viewer === undefined ? {} : { following, followRequestSent, notifications };
  const status = row.status_id === null || !canRead(row, viewer) ? undefined : statusView(row);
  return {
    $typeName: "social.v1.ProfileResult",
    ...profileFields(row),
    ...relation,
    status,
    freshness: freshnessToken(row),
  };
}
