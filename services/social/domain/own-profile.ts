import {
  type UpdateProfileRequest,
  UpdateProfileRequestSchema,
} from "../../../proto/gen/social/people/v1/profile_pb.ts";
import { isBlank } from "../../platform/rules/field-rules.ts";
import { newProfile } from "./profile-fields.ts";

/** New values by column; the columns are fields of the public UpdateProfile, or `verified`. */
export type ProfileChange = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The columns that a user's own UpdateProfile sets, with their values; none when no field is given. An empty text clears its
 * field: the column gets the value that a new profile has.
 */
export function readOwnProfile(request: UpdateProfileRequest): ProfileChange {
  const change: Record<string, string | number | boolean | null> = {};
  for (const { name, localName } of writable) {
    const value = request[localName as keyof UpdateProfileRequest] as string | boolean | undefined;
    if (value === undefined) continue;
    const isCleared = typeof value === "string" && isBlank(value);
    if (isCleared) change[name] = name in newProfile ? (newProfile[name] as string | null) : "";
    else change[name] = name === "utc_offset" ? Number(value) : value;
  }
  return change;
}

/** The fields that are named after their columns, except those that say whose profile it is, and when it was made. */
const writable = UpdateProfileRequestSchema.fields.filter(
  ({ name }) => !["user_id", "if_version", "request_id"].includes(name),
);
