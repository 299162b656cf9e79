import type { ProfileResult } from "../../../proto/gen/social/v1/profiles_pb.ts";
import { canRead } from "../domain/can-read.ts";
import type { ProfileWithStatus } from "../store/profiles/list-profiles.ts";
import { profileResult } from "../views/profile-result.ts";

/** Users as the caller sees them, without suspended ones. All lists of users are made here. */
export function shownUsers(rows: readonly ProfileWithStatus[], viewer: bigint | undefined): ProfileResult[] {
  return rows.filter((row) => !row.suspended).map((row) => profileResult(row, viewer, canRead(row, viewer)));
}
