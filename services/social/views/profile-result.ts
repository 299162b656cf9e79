import type { ProfileResult } from "../../../proto/gen/social/v1/profiles_pb.ts";
import type { ProfileWithStatus } from "../store/profiles/list-profiles.ts";
import { statusView } from "./status.ts";
import { summaryFields } from "./user-summary.ts";
import { versionOf } from "./version.ts";

/** A user as SocialUsers shows it: relations only for a viewer, the newest status only for a reader of the user. */
export function profileResult(row: ProfileWithStatus, viewer: bigint | undefined, mayRead: boolean): ProfileResult {
  const { following, follow_request_sent: followRequestSent, notifications } = row;
  const relation = viewer === undefined ? {} : { following, followRequestSent, notifications };
  const status = row.status_id === null || !mayRead ? undefined : statusView(row);
  return {
    $typeName: "social.v1.ProfileResult",
    ...summaryFields(row),
    ...relation,
    status,
    version: versionOf(row),
  };
}
