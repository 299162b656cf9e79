import type { UserSummary } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { isLanguageTag } from "./language-tag.ts";

/** One column of a profile that can be written: its value in a message, and what is wrong with it, if anything. */
interface ProfileField {
  value(profile: UserSummary): string | number | boolean | null;
  fault(profile: UserSummary): string | undefined;
}

/** The columns that people write, by field name. */
export const profileFields: Readonly<Record<string, ProfileField>> = {
  name: text((profile) => profile.name, 64, { needed: true }),
  location: text((profile) => profile.location, 150),
  url: link((profile) => profile.url),
  description: text((profile) => profile.description, 500),
  lang: field(
    (profile) => profile.lang,
    (lang) => (isLanguageTag(lang) ? undefined : "is not a language tag"),
  ),
  time_zone: text((profile) => profile.timeZone, 64),
  utc_offset: field((profile) => profile.utcOffset ?? null, offsetFault),
  protected: flag((profile) => profile.protected),
  verified: flag((profile) => profile.verified),
  geo_enabled: flag((profile) => profile.geoEnabled),
  contributors_enabled: flag((profile) => profile.contributorsEnabled),
  profile_image_url: link((profile) => profile.profileImageUrl),
  profile_background_image_url: link((profile) => profile.profileBackgroundImageUrl),
  profile_background_color: colour((profile) => profile.profileBackgroundColor),
  profile_sidebar_border_color: colour((profile) => profile.profileSidebarBorderColor),
  profile_sidebar_fill_color: colour((profile) => profile.profileSidebarFillColor),
  profile_link_color: colour((profile) => profile.profileLinkColor),
  profile_text_color: colour((profile) => profile.profileTextColor),
  profile_background_tile: flag((profile) => profile.profileBackgroundTile),
  profile_use_background_image: flag((profile) => profile.profileUseBackgroundImage),
};

// Postgres stores none.
const nul = "\u0000";

function field<T extends string | number | boolean | null>(
  value: (profile: UserSummary) => T,
  fault: (value: T) => string | undefined,
): ProfileField {
  return { value, fault: (profile) => fault(value(profile)) };
}

function flag(value: (profile: UserSummary) => boolean): ProfileField {
  return field(value, () => undefined);
}

/** Free text of at most `most` code points; unset is kept apart from empty. */
function text(
  value: (profile: UserSummary) => string | undefined,
  most: number,
  { needed = false } = {},
): ProfileField {
  return field(
    (profile) => value(profile) ?? null,
    (text) => {
      if (needed && (text ?? "").trim() === "") return "should not be empty";
      if (text?.includes(nul)) return "holds a NUL character";
      return [...(text ?? "")].length > most ? `must be ${most} characters or fewer` : undefined;
    },
  );
}

function colour(value: (profile: UserSummary) => string): ProfileField {
  return field(value, (digits) => (/^[0-9A-Fa-f]{6}$/.test(digits) ? undefined : "must be six hex digits"));
}

function link(value: (profile: UserSummary) => string | undefined): ProfileField {
  return field(
    (profile) => value(profile) ?? null,
    (url) => {
      if (!url) return undefined;
      const fits = url.length <= 2_048 && !url.includes(nul) && /^https?:\/\//i.test(url);
      return fits ? undefined : "is not an http or https URL";
    },
  );
}

function offsetFault(seconds: number | null): string | undefined {
  return seconds === null || Math.abs(seconds) <= 14 * 3_600 ? undefined : "must be within 14 hours of UTC";
}
