import type { UpdateProfileRequest } from "../../../proto/gen/social/v1/profile_service_pb.ts";
import { type BadField, badField, invalid, refuseFields } from "../../platform/errors.ts";
import { profileFields } from "./profile-fields.ts";

/** New values by column; the columns are those of profileFields, or fields of the public UpdateProfile (own-profile.ts). */
export type ProfileChange = Readonly<Record<string, string | number | boolean | null>>;

/** Reads which columns an UpdateProfile sets, with their values. @throws InvalidArgument naming every bad field */
export function parseProfileChange({ profile, updateMask }: UpdateProfileRequest): ProfileChange {
  const names = [...new Set(updateMask?.paths)];
  if (profile === undefined) throw invalid("profile", "NotEmpty", "'Profile' should not be empty.");
  if (names.length === 0) throw invalid("updateMask", "NotEmpty", "'Update Mask' should not be empty.");
  if (names.length > Object.keys(profileFields).length) {
    throw invalid("updateMask", "Length", "'Update Mask' names more fields than a profile has.");
  }
  const bad: BadField[] = [];
  const change: Record<string, string | number | boolean | null> = {};
  for (const name of names) {
    const field = Object.hasOwn(profileFields, name) && name !== operatorField ? profileFields[name] : undefined;
    const fault = field ? field.fault(profile) : "cannot be changed";
    // Cut, since gRPC sends an error in the trailers, which are bounded.
    const shown = name.slice(0, 64);
    if (fault !== undefined) bad.push(badField(shown, "RegularExpression", `'${shown}' ${fault}.`));
    else if (field) change[name] = field.value(profile);
  }
  refuseFields(bad);
  return change;
}

/** The field that only SetVerified sets: users do not verify themselves. */
const operatorField = "verified";
