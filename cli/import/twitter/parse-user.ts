import { create } from "@bufbuild/protobuf";
import { type UserSummary, UserSummarySchema } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { ownId } from "../../../services/platform/rules/ids.ts";
import { Refusal } from "../../errors.ts";
import { isObject, type Json, type JsonObject } from "../../json/json.ts";
import { createdAtOf } from "./created-at.ts";
import {
  counterOf,
  type Decoration,
  decorationOf,
  fieldOf,
  filledTextOf,
  flagOf,
  requiredIdOf,
  requiredTextOf,
  textOf,
  wholeNumberOf,
} from "./fields.ts";
import { plainText } from "./plain-text.ts";

/** A user as an import sends it. */
export interface ParsedUser {
  /** The id at the origin. */
  id: string;
  /** When the user joined, in milliseconds since 1970. */
  joinedMs: number;
  profile: UserSummary;
  /** The fields that broke a rule and got their default instead. */
  defaulted: string[];
}

/**
 * Reads a user of Twitter API v1.1, or of our own public replies. Of the fields that are missing, the social service knows the defaults.
 * @throws Refusal naming the first field that is missing or wrong, of those without which there is no user.
 */
export function parseUser(value: Json): ParsedUser {
  if (!isObject(value)) throw new Refusal("the user is not an object");
  const id = requiredIdOf(value, "id");
  const screenName = requiredTextOf(value, "screen_name");
  const createdAt = createdAtOf(value);
  const user = decorationOf(value);
  // Texts of a system like this one are as they were typed.
  const isOwn = ownId(id, new Date(createdAt.ms)) !== undefined;
  const plain = (text: string) => (isOwn ? text : plainText(text).text);
  const profile = create(UserSummarySchema, {
    ...describedBy(user, plain),
    ...themeOf(user),
    ...countedBy(user),
    protected: isProtected(value),
    screenName,
    // As in Registration: a user without a name is called by the screen name.
    name: plain(user.take("name", textOf, screenName)),
    createdAt: createdAt.text,
  });
  return { id, joinedMs: createdAt.ms, profile, defaulted: user.defaulted };
}

/** Whether a user is protected; also one with another value than a flag, so that nothing becomes more public than it was. */
export function isProtected(user: JsonObject): boolean {
  return decorationOf(user).take("protected", flagOf, fieldOf(user, "protected") !== undefined);
}

function describedBy({ take }: Decoration, plain: (text: string) => string) {
  return {
    description: plain(take("description", textOf, "")),
    location: plain(take("location", textOf, "")),
    url: take("url", filledTextOf, undefined),
    // Twitter itself has written null since 2019.
    lang: take("lang", filledTextOf, "en"),
    timeZone: take("time_zone", filledTextOf, undefined),
    // Seconds east of UTC: a number at Twitter, a string in our own replies.
    utcOffset: take("utc_offset", utcOffsetOf, undefined),
    verified: take("verified", flagOf, false),
    geoEnabled: take("geo_enabled", flagOf, false),
    contributorsEnabled: take("contributors_enabled", flagOf, false),
    notifications: take("notifications", flagOf, undefined),
  };
}

function themeOf({ take }: Decoration) {
  return {
    profileBackgroundColor: take("profile_background_color", colourOf, ""),
    profileLinkColor: take("profile_link_color", colourOf, ""),
    profileSidebarBorderColor: take("profile_sidebar_border_color", colourOf, ""),
    profileSidebarFillColor: take("profile_sidebar_fill_color", colourOf, ""),
    profileTextColor: take("profile_text_color", colourOf, ""),
    profileBackgroundTile: take("profile_background_tile", flagOf, false),
    profileUseBackgroundImage: take("profile_use_background_image", flagOf, false),
    profileImageUrl: take("profile_image_url", imageOf, ""),
    profileBackgroundImageUrl: take("profile_background_image_url", imageOf, ""),
  };
}

function countedBy({ take }: Decoration) {
  return {
    followersCount: take("followers_count", counterOf, 0),
    friendsCount: take("friends_count", counterOf, 0),
    favouritesCount: take("favourites_count", counterOf, 0),
    statusesCount: take("statuses_count", counterOf, 0),
  };
}

function colourOf(user: JsonObject, name: string): string | undefined {
  const colour = textOf(user, name);
  if (colour !== undefined && !/^[\dA-Fa-f]{6}$/.test(colour)) throw new Refusal(`${name} is not six hex digits`);
  return colour;
}

function utcOffsetOf(user: JsonObject, name: string): number | undefined {
  const offset = wholeNumberOf(user, name);
  if (offset !== undefined && Math.abs(offset) > 99_999) throw new Refusal(`${name} is not an offset`);
  return offset;
}

// Later files have the https address only.
function imageOf(user: JsonObject, name: string): string | undefined {
  return textOf(user, name) ?? textOf(user, `${name}_https`);
}
