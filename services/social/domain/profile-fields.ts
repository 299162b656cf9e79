import {
  type UpdateProfileRequest,
  UpdateProfileRequestSchema,
} from "../../../proto/gen/social/people/v1/profile_pb.ts";
import { type UserSummary, UserSummarySchema } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { isBlank } from "../../platform/rules/field-rules.ts";
import { holdsNul, isLongerThan } from "../../platform/storable.ts";

type Value = string | number | boolean | null;

/** One column of a profile that can be written. */
interface ProfileField {
  /** Its value in a message; null when not set. */
  value(profile: UserSummary): Value;
  /** What is wrong with it, in words that complete "'field' …"; undefined for a good value. */
  fault(profile: UserSummary): string | undefined;
  /** What an import stores for a faulty one: the default of the column; for the name the screen name. */
  fallback(profile: UserSummary): Value;
}

/** The rules of the fields that imports and ProfileService.UpdateProfile write; those of users are in proto (profile.proto). */
const rules = {
  name: text(64, { needed: true }),
  location: text(150),
  url: link,
  description: text(500),
  lang: (tag: string) => (isLanguageTag(tag) ? undefined : "is not a language tag"),
  timeZone: text(64),
  utcOffset: (seconds: number | null) =>
    seconds === null || Math.abs(seconds) <= 14 * 3_600 ? undefined : "must be within 14 hours of UTC",
  protected: anyFlag,
  verified: anyFlag,
  geoEnabled: anyFlag,
  contributorsEnabled: anyFlag,
  profileImageUrl: picture,
  profileBackgroundImageUrl: picture,
  profileBackgroundColor: colour,
  profileSidebarBorderColor: colour,
  profileSidebarFillColor: colour,
  profileLinkColor: colour,
  profileTextColor: colour,
  profileBackgroundTile: anyFlag,
  profileUseBackgroundImage: anyFlag,
};

/** Whether a text is a language tag: language, then script, region and variants (BCP 47), at most 64 characters. */
function isLanguageTag(text: string): boolean {
  // Imported files also have "en-gb" and "zh_Hant".
  return text.length <= 64 && /^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/.test(text);
}

/** The values of a new profile that are not an empty text: the defaults of the table. */
export const newProfile: Readonly<Record<string, string | null>> = {
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

/** These columns, by the name of field and column. */
export const profileFields: Readonly<Record<string, ProfileField>> = Object.fromEntries(
  Object.entries(rules).map(([key, rule]) => {
    const localName = key as keyof typeof rules;
    const { name } = UserSummarySchema.field[localName];
    const value = (profile: UserSummary) => profile[localName] ?? null;
    const fault = rule as (value: Value) => string | undefined;
    const unset = name in newProfile ? (newProfile[name] as string | null) : "";
    const fallback = (profile: UserSummary) => (name === "name" ? profile.screenName : unset);
    return [name, { value, fault: (profile) => fault(value(profile)), fallback }];
  }),
);

/** Text of at most `maxLength` code points; null and empty are different. */
function text(maxLength: number, { needed = false } = {}) {
  return (value: string | null) => {
    if (needed && isBlank(value ?? "")) return "should not be empty";
    if (holdsNul(value)) return "holds a NUL character";
    return isLongerThan(value ?? "", maxLength) ? `must be ${maxLength} characters or fewer` : undefined;
  };
}

function colour(digits: string) {
  return /^[0-9A-Fa-f]{6}$/.test(digits) ? undefined : "must be six hex digits";
}

// Laxer than the rule for users. Replies give it as it is; pages check it.
function link(url: string | null) {
  if (!url) return undefined;
  const fits = url.length <= 2_048 && !holdsNul(url) && /^https?:\/\//i.test(url);
  return fits ? undefined : "is not an http or https URL";
}

/** A link, or the path of a picture that the gateway itself has: it is on whatever host is asked. */
function picture(url: string | null) {
  return /^\/pictures\/[\w./-]{1,200}$/.test(url ?? "") ? undefined : link(url);
}

function anyFlag(_: boolean): undefined {
  return undefined;
}

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
