import { toJson } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { Refusal } from "../../cli/errors.ts";
import { parseUser } from "../../cli/import/twitter/parse-user.ts";
import type { JsonObject } from "../../cli/json/json.ts";
import { UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { suite } from "../support/suite.ts";
import { twitterUser, without } from "./samples.ts";

const User = suite("cli: a user in a file");

User("is read with all its fields", () => {
  const user = parseUser(twitterUser("42", { url: "http://t.co/x", notifications: true, name: " 😋 &amp; <b>\n" }));
  assert.is(user.id, "42");
  assert.is(user.joinedMs, Date.UTC(2008, 7, 27, 13, 8, 45));
  assert.equal(toJson(UserSummarySchema, user.profile, { useProtoFieldName: true, alwaysEmitImplicit: true }), {
    name: " 😋 &amp; <b>\n",
    profile_sidebar_border_color: "FFFFFF",
    profile_background_tile: true,
    profile_sidebar_fill_color: "ddeef6",
    created_at: "Wed Aug 27 13:08:45 +0000 2008",
    profile_image_url: "http://img.example/face.png",
    profile_link_color: "0084B4",
    location: "",
    url: "http://t.co/x",
    favourites_count: 56,
    contributors_enabled: false,
    utc_offset: -36000,
    id: "0",
    profile_use_background_image: false,
    profile_text_color: "333333",
    protected: false,
    followers_count: 12,
    lang: "en",
    verified: true,
    profile_background_color: "C0DEED",
    geo_enabled: true,
    notifications: true,
    description: "Says things.",
    time_zone: "Hawaii",
    friends_count: 34,
    statuses_count: 78,
    profile_background_image_url: "http://img.example/bg.png",
    screen_name: "user42",
  });
});

User("may have booleans and numbers as strings, as in our own older replies", () => {
  const { profile, id } = parseUser({
    ...without(twitterUser("9"), "id_str"),
    id: "505874924095815681",
    profile_background_tile: "false",
    profile_use_background_image: "true",
    utc_offset: "-3600",
  });
  assert.is(id, "505874924095815681");
  assert.is(profile.profileBackgroundTile, false);
  assert.is(profile.profileUseBackgroundImage, true);
  assert.is(profile.utcOffset, -3600);
});

User("has the id of id_str, or else all digits of the number", () => {
  const id = "905874924095815681";
  assert.is(parseUser(twitterUser("7", { id })).id, "7");
  assert.is(parseUser({ ...without(twitterUser("7"), "id_str"), id }).id, "905874924095815681");
  assert.is(parseUser({ ...twitterUser("7"), id, id_str: null }).id, "905874924095815681");
});

User("may have optional fields missing or null", () => {
  const bare: JsonObject = { id: 5, screen_name: "bare", created_at: "Wed Aug 27 13:08:45 +0000 2008" };
  const nulls = { url: null, utc_offset: null, time_zone: null, lang: null, profile_link_color: null, verified: null };
  for (const { profile } of [parseUser(bare), parseUser({ ...bare, ...nulls })]) {
    assert.is(profile.name, "bare");
    assert.is(profile.url, undefined);
    assert.is(profile.utcOffset, undefined);
    assert.is(profile.timeZone, undefined);
    assert.is(profile.notifications, undefined);
    assert.is(profile.lang, "en");
    assert.is(profile.followersCount, 0);
    assert.is(profile.profileLinkColor, "");
    assert.is(profile.verified, false);
  }
});

User("without an http image gets the https one", () => {
  const user = without(twitterUser("1"), "profile_image_url");
  assert.is(parseUser({ ...user, profile_image_url_https: "https://x" }).profile.profileImageUrl, "https://x");
});

User("is refused without an id, a name or a date, and the reason names the field", () => {
  const cases: [JsonObject, string][] = [
    [{ id: null, id_str: null }, "id is missing"],
    [{ id_str: "12a" }, "id is not an id"],
    [{ id_str: "007" }, "id is not an id"],
    [{ id_str: null, id: 505874924095815700 }, "id is neither a string nor an exact number"],
    [{ id_str: ["1"] }, "id_str is neither a string nor an exact number"],
    [{ screen_name: null }, "screen_name is missing"],
    [{ screen_name: "" }, "screen_name is missing"],
    [{ screen_name: 12 }, "screen_name is not a string"],
    [{ created_at: null }, "created_at is missing"],
    [{ created_at: "2008-08-27T13:08:45Z" }, 'created_at is not a date such as "Wed Aug 27 13:08:45 +0000 2008"'],
    ...[
      "Sun Feb 31 13:08:45 +0000 2008",
      "Thu Aug 27 13:08:45 +0000 2008",
      "Wed aug 27 13:08:45 +0000 2008",
      "Thu Aug 28 24:00:00 +0000 2008",
      "Wed Aug 27 13:60:00 +0000 2008",
      "Wed Aug 27 23:59:60 +0000 2008",
      "Sun Aug 27 13:08:45 +0000 0050",
    ].map((date): [JsonObject, string] => [
      { created_at: date },
      'created_at is not a date such as "Wed Aug 27 13:08:45 +0000 2008"',
    ]),
  ];
  for (const [fields, reason] of cases) {
    assert.throws(
      () => parseUser(twitterUser("1", fields)),
      (error: unknown) => error instanceof Refusal && error.message === reason,
      reason,
    );
  }
  assert.throws(() => parseUser(["user"]), /the user is not an object/);
});

User("gets the default of any other field that breaks a rule, which is counted", () => {
  const cases: JsonObject[] = [
    { profile_link_color: "#0084B4" },
    { profile_text_color: "" },
    { followers_count: -1 },
    { friends_count: 1.5 },
    { statuses_count: "seven" },
    { favourites_count: 2147483648 },
    { verified: 1 },
    { profile_background_tile: "yes" },
    { utc_offset: "east" },
    { time_zone: { name: "Hawaii" } },
    { description: "a\0b" },
    { lang: ["en"] },
  ];
  for (const fields of cases) {
    const [name = ""] = Object.keys(fields);
    const { profile, defaulted } = parseUser(twitterUser("1", fields));
    assert.equal(defaulted, [name]);
    assert.equal(profile, parseUser(without(twitterUser("1"), name)).profile, name);
  }
  assert.is(parseUser(twitterUser("1", { name: "\ud83d" })).profile.name, "user1");
  // Nothing becomes more public than it was.
  assert.is(parseUser(twitterUser("1", { protected: "yes" })).profile.protected, true);
});

User("has its texts without escapes, unless it is one of a system like this one", () => {
  const texts = { name: "Salt &amp; Rope", location: "&lt;sea&gt;", description: "a &amp;amp; b" };
  const { name, location, description } = parseUser(twitterUser("1", texts)).profile;
  assert.equal([name, location, description], ["Salt & Rope", "<sea>", "a &amp; b"]);
  const own = (BigInt(Date.UTC(2008, 7, 27, 13, 8, 45) - Date.UTC(2006, 0, 1)) << 12n).toString();
  assert.is(parseUser(twitterUser("1", { ...texts, id: Number(own), id_str: own })).profile.name, texts.name);
});

User.run();
