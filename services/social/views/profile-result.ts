import { create } from "@bufbuild/protobuf";
import { ProfileResultSchema } from "../../../proto/gen/social/v1/profiles_pb.ts";
import type { ProfileWithStatus } from "../store/list-profiles.ts";
import { statusView } from "./status.ts";
import { profileFields } from "./user-summary.ts";

/** A user as SocialUsers shows it to anybody: with the newest status, unless the user is protected. */
export function profileResult(row: ProfileWithStatus) {
  const status = row.status_id === null || row.protected ? undefined : statusView(row);
  return create(ProfileResultSchema, { ...profileFields(row), status });
}
