import type { JsonObject } from "../../cli/json/json.ts";

/** A user as in replies of Twitter API v1.1. */
export function twitterUser(id: string, fields: JsonObject = {}): JsonObject {
  return {
    id: Number(id),
    id_str: id,
    name: `Name ${id}`,
    screen_name: `user${id}`,
    location: "",
    description: "Says things.",
    url: null,
    entities: { description: { urls: [] } },
    protected: false,
    followers_count: 12,
    friends_count: 34,
    listed_count: 5,
    created_at: "Wed Aug 27 13:08:45 +0000 2008",
    favourites_count: 56,
    utc_offset: -36000,
    time_zone: "Hawaii",
    geo_enabled: true,
    verified: true,
    statuses_count: 78,
    lang: "en",
    contributors_enabled: false,
    profile_background_color: "C0DEED",
    profile_background_image_url: "http://img.example/bg.png",
    profile_background_tile: true,
    profile_image_url: "http://img.example/face.png",
    profile_link_color: "0084B4",
    profile_sidebar_border_color: "FFFFFF",
    profile_sidebar_fill_color: "ddeef6",
    profile_text_color: "333333",
    profile_use_background_image: false,
    ...fields,
  };
}

/** A status as in replies of Twitter API v1.1; its author is user 1. */
export function twitterStatus(id: string, fields: JsonObject = {}): JsonObject {
  return {
    created_at: "Sun Aug 31 00:29:15 +0000 2014",
    id: Number(id),
    id_str: id,
    text: `Status ${id}`,
    source: '<a href="http://app.example" rel="nofollow">App</a>',
    truncated: false,
    in_reply_to_status_id: null,
    in_reply_to_status_id_str: null,
    in_reply_to_user_id: null,
    in_reply_to_user_id_str: null,
    in_reply_to_screen_name: null,
    user: twitterUser("1"),
    geo: null,
    coordinates: null,
    retweet_count: 3,
    entities: { hashtags: [], symbols: [], urls: [], user_mentions: [] },
    favorited: false,
    retweeted: false,
    ...fields,
  };
}

/** `value` without the named fields. */
export function without(value: JsonObject, ...names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
