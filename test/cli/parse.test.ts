import { toJson } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { Refusal } from "../../cli/errors.ts";
import { parseStatus } from "../../cli/import/twitter/parse-status.ts";
import { parseUser } from "../../cli/import/twitter/parse-user.ts";
import type { JsonObject } from "../../cli/json/json.ts";
import { ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { suite } from "../support/suite.ts";
import { twitterStatus, twitterUser, without } from "./samples.ts";

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

const Status = suite("cli: a status in a file");

Status("is read with all its fields, and its text without escapes", () => {
  const parsed = parseStatus(
    twitterStatus("505874924095815681", {
      text: " RT @a: x &amp; y 😋\n",
      in_reply_to_status_id_str: "405874924095815681",
      in_reply_to_user_id_str: "99",
      in_reply_to_screen_name: "a",
      truncated: true,
      favorited: true,
      retweeted: true,
      retweet_count: 1234,
    }),
  );
  assert.is(parsed.id, "505874924095815681");
  assert.is(parsed.author, "1");
  assert.equal(toJson(ImportedStatusSchema, parsed.message, { useProtoFieldName: true, alwaysEmitImplicit: true }), {
    author_id: "0",
    origin_id: "505874924095815681",
    in_reply_to_status_origin_id: "405874924095815681",
    in_reply_to_user_origin_id: "99",
    repost_of_status_origin_id: "",
    repost_of_user_origin_id: "",
    status: {
      id: "0",
      retweeted: true,
      truncated: true,
      created_at: "Sun Aug 31 00:29:15 +0000 2014",
      in_reply_to_screen_name: "a",
      entities: { media: [], urls: [], user_mentions: [], hashtags: [] },
      favorited: true,
      source: '<a href="http://app.example" rel="nofollow">App</a>',
      retweet_count: 1234,
      text: " RT @a: x & y 😋\n",
    },
  });
});

Status("keeps its entities", () => {
  const link = { url: "http://t.co/a", display_url: "a.example", expanded_url: "http://a.example", indices: [0, 13] };
  const { message } = parseStatus(
    twitterStatus("1", {
      entities: {
        urls: [link, { url: "http://t.co/b", expanded_url: null, indices: [14, 27] }],
        user_mentions: [
          { screen_name: "a", name: "A", id: 5, id_str: "5", indices: [28, 30] },
          { screen_name: "gone", name: "", id: -1, id_str: "-1", indices: [31, 36] },
          { screen_name: "unknown", name: "U", id: 0, id_str: "", indices: [37, 45] },
        ],
        hashtags: [
          { text: "twitter", indices: [46, 54] },
          { text: "ours", indicies: [55, 60] },
        ],
        media: [
          {
            ...link,
            media_url: "http://m",
            media_url_https: "https://m",
            type: "photo",
            sizes: { thumb: { w: 150, h: 151, resize: "crop" }, large: { w: 1024, h: 768, resize: "fit" } },
          },
        ],
        symbols: [{ text: "TWTR", indices: [61, 66] }],
      },
    }),
  );
  const status = toJson(ImportedStatusSchema, message, { useProtoFieldName: true, alwaysEmitImplicit: true });
  assert.equal((status as { status: { entities: unknown } }).status.entities, {
    media: [
      {
        ...link,
        media_url: "http://m",
        media_url_https: "https://m",
        type: "photo",
        sizes: { thumb: { w: 150, h: 151, resize: "crop" }, large: { w: 1024, h: 768, resize: "fit" } },
      },
    ],
    urls: [link, { url: "http://t.co/b", display_url: "", expanded_url: "", indices: [14, 27] }],
    user_mentions: [
      { id: "0", id_str: "5", name: "A", screen_name: "a", indices: [28, 30] },
      { id: "0", id_str: "", name: "", screen_name: "gone", indices: [31, 36] },
      { id: "0", id_str: "", name: "U", screen_name: "unknown", indices: [37, 45] },
    ],
    hashtags: [
      { text: "twitter", indices: [46, 54] },
      { text: "ours", indices: [55, 60] },
    ],
  });
});

Status("without entities gets empty ones", () => {
  for (const status of [without(twitterStatus("1"), "entities"), twitterStatus("1", { entities: { urls: null } })]) {
    assert.ok(parseStatus(status).message.status?.entities);
  }
});

Status("in extended mode has its text in full_text", () => {
  const status = { ...without(twitterStatus("1"), "text"), full_text: "the whole of it" };
  assert.is(parseStatus(status).message.status?.text, "the whole of it");
  assert.is(parseStatus({ ...status, text: "short…" }).message.status?.text, "the whole of it");
});

Status("gets both orders of its place, from coordinates if there are any", () => {
  const coordinates = { type: "Point", coordinates: [-157.8583, 21.3069] };
  const geo = { type: "Point", coordinates: [1.5, 2] };
  const placeOf = (fields: JsonObject) => {
    const status = parseStatus(twitterStatus("1", fields)).message.status;
    return [status?.geo, status?.coordinates].map((point) => point && [point.type, ...point.coordinates]);
  };
  const expected = [
    ["Point", 21.3069, -157.8583],
    ["Point", -157.8583, 21.3069],
  ];
  assert.equal(placeOf({ coordinates }), expected);
  assert.equal(placeOf({ coordinates, geo }), expected);
  assert.equal(placeOf({ geo }), [
    ["Point", 1.5, 2],
    ["Point", 2, 1.5],
  ]);
  assert.equal(placeOf({}), [undefined, undefined]);
});

Status("may have its number of retweets as a string", () => {
  const countOf = (retweet_count: string) =>
    parseStatus(twitterStatus("1", { retweet_count })).message.status?.retweetCount;
  assert.is(countOf("17"), 17);
  assert.is(countOf("100+"), 100);
});

Status("embedded in a user has that user as author", () => {
  assert.is(parseStatus(without(twitterStatus("1"), "user"), { id_str: "77" }).author, "77");
});

Status("has no text where it has pictures alone, and all pictures of its extended entities", () => {
  const picture = (name: string) => ({ media_url: name, indices: [0, 0] });
  const entities = { media: [picture("one")] };
  const alone = parseStatus(twitterStatus("1", { text: "", entities })).message.status;
  assert.equal([alone?.text, alone?.entities?.media.length], ["", 1]);
  const extended_entities = { media: [picture("one"), picture("two")] };
  const all = parseStatus(twitterStatus("1", { entities, extended_entities })).message.status;
  assert.equal(
    all?.entities?.media.map(({ mediaUrl }) => mediaUrl),
    ["one", "two"],
  );
});

Status("is refused without an id, a text, an author or a date, and the reason names the field", () => {
  const cases: [JsonObject, string][] = [
    [{ id: null, id_str: null }, "id is missing"],
    [{ text: null }, "text is missing"],
    [{ text: "" }, "text is missing"],
    [{ text: 5 }, "text is not a string"],
    [{ user: null }, "user is missing"],
    [{ user: "me" }, "user is not an object"],
    [{ user: {} }, "user.id is missing"],
    [{ created_at: "yesterday" }, 'created_at is not a date such as "Wed Aug 27 13:08:45 +0000 2008"'],
    [{ retweeted_status: { id: "x" } }, "retweeted_status.id is not an id"],
  ];
  for (const [fields, reason] of cases) {
    assert.throws(
      () => parseStatus(twitterStatus("1", fields)),
      (error: unknown) => error instanceof Refusal && error.message === reason,
      reason,
    );
  }
  assert.throws(() => parseStatus(null), /the status is not an object/);
});

Status(
  "gets the default of any other field that breaks a rule, which is counted, and loses entities without a place",
  () => {
    const plain = parseStatus(twitterStatus("1", { retweet_count: 0, source: "" })).message;
    const of = (name: string, fields: JsonObject) => ({ entities: { [name]: [fields] } });
    const place = { indices: [3, 4] };
    const cases: [JsonObject, string[]][] = [
      [{ retweet_count: "many" }, ["retweet_count"]],
      [{ retweet_count: -1 }, ["retweet_count"]],
      [{ truncated: 1 }, ["truncated"]],
      [{ in_reply_to_status_id_str: "x" }, ["in_reply_to_status_id"]],
      [{ entities: [] }, ["entities"]],
      [{ entities: { urls: "u" } }, ["urls"]],
      [{ entities: { urls: ["u"] } }, ["urls"]],
      [of("urls", { url: "u" }), ["urls"]],
      [of("hashtags", { indicies: [1] }), ["hashtags"]],
      [of("hashtags", { indices: [-1, 2] }), ["hashtags"]],
      [of("user_mentions", { indices: [3, 2] }), ["user_mentions"]],
      [{ geo: { type: "Point", coordinates: [1] } }, ["geo"]],
      [{ geo: { type: "Polygon", coordinates: [1, 2] } }, ["geo"]],
      [{ coordinates: { type: "Point", coordinates: [21, -157] } }, ["coordinates"]],
    ];
    for (const [fields, defaulted] of cases) {
      const parsed = parseStatus(twitterStatus("1", { retweet_count: 0, source: "", ...fields }));
      assert.equal(parsed.defaulted, defaulted);
      assert.equal(parsed.message, plain, JSON.stringify(fields));
    }
    const kept = [of("urls", { ...place, url: 1 }), of("media", { ...place, sizes: { thumb: { w: "wide" } } })];
    for (const fields of [...kept, of("user_mentions", { ...place, id: "q" })]) {
      const { entities } = parseStatus(twitterStatus("1", fields)).message.status ?? {};
      const [entity] = [...(entities?.urls ?? []), ...(entities?.media ?? []), ...(entities?.userMentions ?? [])];
      assert.equal(entity?.indices, [3, 4]);
    }
  },
);

Status("is read alike with numbers as texts, as in archives of X, and with empty objects as absent", () => {
  const place = { indices: [1, 3] };
  const media = [{ ...place, media_url: "p", sizes: { small: { w: 680, h: 510, resize: "fit" } } }];
  const fields = {
    entities: { user_mentions: [{ ...place, id_str: "5" }], hashtags: [place], urls: [place], media },
    coordinates: { type: "Point", coordinates: [-73.5, 40.25] },
    retweet_count: 7,
  };
  const asTexts = JSON.parse(JSON.stringify(fields), (_, value) => (typeof value === "number" ? `${value}` : value));
  const { message, defaulted } = parseStatus(twitterStatus("1", { ...asTexts, favorited: "false", geo: {} }));
  assert.equal([message, defaulted], [parseStatus(twitterStatus("1", fields)).message, []]);
  assert.equal(message.status?.entities?.media[0]?.sizes.small?.w, 680);
});

Status("may have one entity where a list has one", () => {
  const mention = { screen_name: "a", name: "A", id_str: "5", indices: [1, 3] };
  const parse = (user_mentions: JsonObject["list"]) => parseStatus(twitterStatus("1", { entities: { user_mentions } }));
  assert.equal(parse(mention), parse([mention]));
});

Status("has the whole text and its entities, wherever they are, and is not truncated then", () => {
  const cut = { text: "The whole… https://t.co/x", truncated: true, entities: { hashtags: [] } };
  const whole = "The whole of it, with #owls";
  const entities = { hashtags: [{ text: "owls", indices: [22, 27] }] };
  const forms: JsonObject[] = [
    { extended_tweet: { full_text: whole, entities } },
    { full_text: whole, entities },
    { note_tweet: { text: whole, entities } },
    { note_tweet: { is_expandable: true, note_tweet_results: { result: { text: whole, entity_set: entities } } } },
    { full_text: "The whole of…", note_tweet: { text: whole, entities } },
  ];
  for (const form of forms) {
    const { status } = parseStatus(twitterStatus("1", { ...cut, ...form })).message;
    const [hashtag] = status?.entities?.hashtags ?? [];
    assert.equal([status?.text, status?.truncated, hashtag?.indices], [whole, false, [22, 27]], JSON.stringify(form));
  }
  assert.is(parseStatus(twitterStatus("1", cut)).message.status?.truncated, true);
  const media = [{ url: "https://t.co/x", media_url: "p", indices: [11, 25] }];
  const noted = { ...cut, extended_entities: { media }, note_tweet: { text: whole } };
  assert.equal(parseStatus(twitterStatus("1", noted)).message.status?.entities?.media[0]?.indices, [27, 27]);
});

Status("with a retweet repeats the original: all of its text after its author's name, and its entities there", () => {
  const original = twitterStatus("5", {
    user: twitterUser("2", { screen_name: "Bea", name: "B" }),
    text: "The whole…",
    extended_tweet: {
      full_text: "The whole &amp; 🦉 #owls",
      entities: { hashtags: [{ text: "owls", indices: [18, 23] }] },
    },
  });
  const { message } = parseStatus(twitterStatus("1", { text: "RT @Bea: The who…", retweeted_status: original }));
  assert.equal([message.repostOfStatusOriginId, message.repostOfUserOriginId], ["5", "2"]);
  const { text = "", entities, truncated } = message.status ?? {};
  assert.equal([text, truncated], ["RT @Bea: The whole & 🦉 #owls", false]);
  const shown = ({ indices: [start, end] }: { indices: number[] }) => [...text].slice(start, end).join("");
  assert.equal([...(entities?.userMentions ?? []), ...(entities?.hashtags ?? [])].map(shown), ["@Bea", "#owls"]);
  assert.equal([entities?.userMentions[0]?.idStr, entities?.userMentions[0]?.name], ["2", "B"]);
  // An original that is broken, or does not name its author, is none of ours: then the text does not matter.
  for (const fields of [{ created_at: "?" }, { user: null }]) {
    const again = parseStatus(twitterStatus("1", { retweeted_status: { ...original, ...fields } })).message;
    assert.is(again.repostOfStatusOriginId, "5");
  }
});

Status("has its escapes decoded once, where the whole text is escaped and not of a system like this one", () => {
  const textOf = (text: string, fields: JsonObject = {}) =>
    parseStatus(twitterStatus("1", { text, ...fields })).message.status?.text;
  assert.is(textOf("fish &amp; chips &lt;3"), "fish & chips <3");
  assert.is(textOf("&amp;lt;"), "&lt;");
  assert.is(textOf("a < b &amp; c"), "a < b &amp; c");
  assert.is(textOf("R&D, spelled &amp;"), "R&D, spelled &amp;");
  assert.is(textOf("&copy; &amp;"), "&copy; &amp;");
  // An id of here has the time of the status in it: its text is as it was typed.
  const own = (BigInt(Date.UTC(2014, 7, 31, 0, 29, 15) - Date.UTC(2006, 0, 1)) << 12n).toString();
  assert.is(textOf("&lt;3", { id: Number(own), id_str: own }), "&lt;3");
  const hashtags = [{ text: "b", indices: [17, 19] }];
  const { status } = parseStatus(twitterStatus("1", { text: "🦉 &lt;a&gt; &amp;#b", entities: { hashtags } })).message;
  assert.equal([status?.text, status?.entities?.hashtags[0]?.indices], ["🦉 <a> &#b", [7, 9]]);
});

Status("may have the date of X's archives up to 2018", () => {
  const createdAt = (text: string) => parseStatus(twitterStatus("1", { created_at: text })).message.status?.createdAt;
  assert.is(createdAt("2016-05-15 18:22:33 +0000"), "Sun May 15 18:22:33 +0000 2016");
  for (const text of ["2016-02-30 18:22:33 +0000", "2016-05-15 24:22:33 +0000", "2016-05-15 18:22:33"]) {
    assert.throws(() => createdAt(text), /created_at is not a date/);
  }
});

Status("that was edited says of which other versions it knows", () => {
  const versions = (fields: JsonObject) => parseStatus(twitterStatus("20", fields)).versions;
  const initial = (...editTweetIds: string[]) => ({ editTweetIds, editsRemaining: "4" });
  assert.equal(versions({}), []);
  assert.equal(versions({ edit_info: { initial: initial("20") } }), []);
  assert.equal(versions({ edit_info: { initial: initial("20", "100") } }), ["20", "100"]);
  assert.equal(versions({ edit_info: { edit: { initialTweetId: "9", editControlInitial: initial("9", "20") } } }), [
    "9",
    "20",
  ]);
  assert.equal(versions({ edit_info: { edit: { initialTweetId: "9" } } }), ["9", "20"]);
  assert.equal(versions({ edit_history: { edit_tweet_ids: ["9", "20"] } }), ["9", "20"]);
  assert.equal(versions({ edit_history_tweet_ids: ["9", "20"] }), ["9", "20"]);
  assert.equal(versions({ edit_info: "odd" }), []);
});

Status.run();
