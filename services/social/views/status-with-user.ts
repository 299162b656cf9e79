import type { Status } from "../../../proto/gen/social/v1/statuses_pb.ts";
import type { ProfileRelation, ProfileRow, StatusRelation, StatusRow } from "../store/rows.ts";
import { statusView } from "./status.ts";
import { userSummary } from "./user-summary.ts";

/** A status by itself, with its author; `relation` is the viewer's to the author, undefined for an anonymous caller. */
export function statusWithUser(
  row: ProfileRow & StatusRow & Partial<StatusRelation>,
  relation?: Pick<ProfileRelation, "notifications">,
): Status {
  return { ...statusView(row), user: userSummary(row, relation) };
}
