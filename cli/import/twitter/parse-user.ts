import { create } from "@bufbuild/protobuf";
import { type UserSummary, UserSummarySchema } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { isObject, type Json, type JsonObject, numberText } from "../../json/json.ts";
import { Refusal } from "../../refusal.ts";
import { createdAtOf } from "./created-at.ts";
import { colourOf, counterOf, fieldOf, filledTextOf, flagOf, requiredTextOf, spelledFlagOf, textOf } from "./fields.ts";
import { requiredIdOf } from "./origin-id.ts";

/** A user as an import sends it. */
export interface ParsedUser {
  /** The id at the origin. */
  id: string;
  /** When the user joined, in milliseconds since 1970. */
  joinedMs: number;
  profile: UserSummary;
}

/**
 * Reads a user of Twitter API v1.1, or of our own public replies.
 * @throws Refusal naming the first field that is missing or wrong.
 */
export function parseUser(value: Json): ParsedUser {
  if (!isObject(value)) throw new Refusal("the user is not an object");
  const id = requiredIdOf(value, "id");
  const screenName = requiredTextOf(value, "screen_name");
  const createdAt = createdAtOf(value);
  const profile = create(UserSummarySchema, {
    ...describedBy(value),
    ...themeOf(value),
    ...countedBy(value),
    screenName,
    // As in Registration: a user without a name is called by the screen name.
    name: textOf(value, "name") ?? screenName,
    createdAt: createdAt.text,
  });
  return { id, joinedMs: createdAt.ms, profile };
}

function describedBy(user: JsonObject) {
  return {
    description: textOf(user, "description") ?? "",
    location: textOf(user, "location") ?? "",
    url: filledTextOf(user, "url"),
    // Twitter itself has written null since 2019.
    lang: filledTextOf(user, "lang") ?? "en",
    timeZone: filledTextOf(user, "time_zone"),
    utcOffset: utcOffsetOf(user),
    protected: flagOf(user, "protected"),
    verified: flagOf(user, "verified"),
    geoEnabled: flagOf(user, "geo_enabled"),
    contributorsEnabled: flagOf(user, "contributors_enabled"),
    notifications: fieldOf(user, "notifications") === undefined ? undefined : flagOf(user, "notifications"),
  };
}

// The colours, by default those of Twitter's first theme.
function themeOf(user: JsonObject) {
  return {
    profileBackgroundColor: colourOf(user, "profile_background_color", "C0DEED"),
    profileLinkColor: colourOf(user, "profile_link_color", "0084B4"),
    profileSidebarBorderColor: colourOf(user, "profile_sidebar_border_color", "C0DEED"),
    profileSidebarFillColor: colourOf(user, "profile_sidebar_fill_color", "DDEEF6"),
    profileTextColor: colourOf(user, "profile_text_color", "333333"),
    profileBackgroundTile: spelledFlagOf(user, "profile_background_tile"),
    profileUseBackgroundImage: spelledFlagOf(user, "profile_use_background_image"),
    profileImageUrl: imageOf(user, "profile_image_url"),
    profileBackgroundImageUrl: imageOf(user, "profile_background_image_url"),
  };
}

function countedBy(user: JsonObject) {
  return {
    followersCount: counterOf(user, "followers_count"),
    friendsCount: counterOf(user, "friends_count"),
    favouritesCount: counterOf(user, "favourites_count"),
    statusesCount: counterOf(user, "statuses_count"),
  };
}

// Later files have the https address only.
function imageOf(user: JsonObject, name: string): string {
  return textOf(user, name) ?? textOf(user, `${name}_https`) ?? "";
}

/** Seconds east of UTC: a number at Twitter, a string in our own replies. */
function utcOffsetOf(user: JsonObject): number | undefined {
  const value = fieldOf(user, "utc_offset");
  if (value === undefined || value === "") return undefined;
  const digits = typeof value === "string" ? value : numberText(value);
  if (digits === undefined || !/^-?\d{1,5}$/.test(digits)) throw new Refusal("utc_offset is not a number of seconds");
  return Number(digits);
}
