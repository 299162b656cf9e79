import type { ProfileResult } from "../../../proto/gen/social/v1/profiles_pb.ts";
import { canRead } from "../domain/can-read.ts";
import type { ProfileWithStatus } from "../store/profiles/list-profiles.ts";
import type { PublicProfile } from "../store/profiles/list-public-profiles.ts";
import { resultFields, statusFields } from "../store/sent-fields.ts";
import { profileResult } from "../views/profile-result.ts";
import { compilePublicProfiles } from "../views/public-profiles.ts";

/** Users as a viewer sees them, without suspended ones. All lists of users are made here. */
export function shownUsers(rows: readonly ProfileWithStatus[], viewer: bigint | undefined): ProfileResult[] {
  return rows.filter((row) => !row.suspended).map((row) => profileResult(row, viewer, canRead(row, viewer)));
}

/** The same for anonymous callers: SocialUsersResponse, encoded. */
export function publicUsers(rows: readonly PublicProfile[]): Uint8Array {
  return publicProfiles(rows.filter((row) => !row.suspended));
}

const publicProfiles = compilePublicProfiles(
  resultFields,
  statusFields,
  ({ user_id, suspended, protected: isProtected }) =>
    canRead({ user_id, suspended, protected: isProtected, following: false, blocks_viewer: false }, undefined),
);
