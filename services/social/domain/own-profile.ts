import {
  type UpdateProfileRequest,
  UpdateProfileRequestSchema,
} from "../../../proto/gen/social/people/v1/profile_pb.ts";
import { isBlank } from "../../platform/rules/field-rules.ts";
import type { ProfileChange } from "./profile-change.ts";

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
    if (isCleared) change[name] = name in cleared ? (cleared[name] as string | null) : "";
    else change[name] = name === "utc_offset" ? Number(value) : value;
  }
  return change;
}

/** The fields that are named after their columns, except those that say whose profile it is, and when it was made. */
const writable = UpdateProfileRequestSchema.fields.filter(
  ({ name }) => !["user_id", "if_version", "request_id"].includes(name),
);

/** The values of a new profile that are not an empty text: the defaults of the table. */
const cleared: Readonly<Record<string, string | null>> = {
  url: null,
  time_zone: null,
  utc_offset: null,
  lang: "en",
  profile_background_color: "C0DEED",
  profile_sidebar_border_color: "C0DEED",
  profile_sidebar_fill_color: "DDEEF6",
  profile_link_color: "0084B4",
  profile_text_color: "333333",
};
