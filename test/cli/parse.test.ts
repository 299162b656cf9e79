import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { Refusal } from "../../cli/errors.ts";
import { parseStatus } from "../../cli/import/twitter/parse-status.ts";
import { parseUser } from "../../cli/import/twitter/parse-user.ts";
import type { Json, JsonObject } from "../../cli/json/json.ts";
import { ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { twitterStatus, twitterUser, without } from "./samples.ts";

const User = suite("cli: a user in a file");

/** A message as JSON with the names of its fields in proto/, which are Twitter's, also those that are not set. */
const jsonOf = <T extends DescMessage>(schema: T, message: MessageShape<T>) =>
  toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true }) as JsonObject;

User("is read with all its fields", () => {
  const given = twitterUser("42", { url: "http://t.co/x", notifications: true, name: " 😋 &amp; <b>\n" });
  const { id, joinedMs, profile } = parseUser(given);
  assert.equal([id, joinedMs], ["42", Date.UTC(2008, 7, 27, 13, 8, 45)]);
  const stored = without(given, "id_str", "entities", "listed_count");
  assert.equal(jsonOf(UserSummarySchema, profile), { ...stored, id: "0" });
});

User("may have booleans and numbers as strings, as in our own older replies", () => {
  const texts = { profile_background_tile: "false", profile_use_background_image: "true", utc_offset: "-3600" };
  const { profile } = parseUser(twitterUser("9", texts));
  const { profileBackgroundTile, profileUseBackgroundImage, utcOffset } = profile;
  assert.equal([profileBackgroundTile, profileUseBackgroundImage, utcOffset], [false, true, -3600]);
});

User("has the id of id_str, or else all digits of the number", () => {
  const id = "905874924095815681";
  assert.is(parseUser(twitterUser("7", { id })).id, "7");
  for (const id_str of [undefined, null]) assert.is(parseUser(twitterUser("7", { id, id_str } as JsonObject)).id, id);
});

User("may have optional fields missing or null", () => {
  const bare: JsonObject = { id: 5, screen_name: "bare", created_at: "Wed Aug 27 13:08:45 +0000 2008" };
  const nulls = { url: null, utc_offset: null, time_zone: null, lang: null, profile_link_color: null, verified: null };
  for (const { profile } of [parseUser(bare), parseUser({ ...bare, ...nulls })]) {
    const { name, lang, followersCount, profileLinkColor, verified } = profile;
    assert.equal([name, lang, followersCount, profileLinkColor, verified], ["bare", "en", 0, "", false]);
    const { url, utcOffset, timeZone, notifications } = profile;
    assert.equal([url, utcOffset, timeZone, notifications], Array(4).fill(undefined));
  }
});

User("without an http image gets the https one", () => {
  const user = without(twitterUser("1"), "profile_image_url");
  assert.is(parseUser({ ...user, profile_image_url_https: "https://x" }).profile.profileImageUrl, "https://x");
});

/** Why a record is refused. */
function refusalOf(parse: (record: Json) => unknown, record: Json): string {
  try {
    parse(record);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  return "it is not refused";
}

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
    ...[
      "2008-08-27T13:08:45Z",
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
  for (const [fields, reason] of cases) assert.is(refusalOf(parseUser, twitterUser("1", fields)), reason);
  assert.is(refusalOf(parseUser, ["user"]), "the user is not an object");
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
  const kept = { in_reply_to_screen_name: "a", truncated: true, favorited: true, retweeted: true, retweet_count: 1234 };
  const { id, author, message } = parseStatus(
    twitterStatus("505874924095815681", {
      ...kept,
      text: " RT @a: x &amp; y 😋\n",
      in_reply_to_status_id_str: "405874924095815681",
      in_reply_to_user_id_str: "99",
    }),
  );
  assert.equal([id, author], ["505874924095815681", "1"]);
  assert.equal(jsonOf(ImportedStatusSchema, message), {
    author_id: "0",
    origin_id: "505874924095815681",
    in_reply_to_status_origin_id: "405874924095815681",
    in_reply_to_user_origin_id: "99",
    repost_of_status_origin_id: "",
    repost_of_user_origin_id: "",
    status: {
      ...kept,
      id: "0",
      created_at: "Sun Aug 31 00:29:15 +0000 2014",
      entities: { media: [], urls: [], user_mentions: [], hashtags: [] },
      source: '<a href="http://app.example" rel="nofollow">App</a>',
      text: " RT @a: x & y 😋\n",
    },
  });
});

Status("keeps its entities", () => {
  const link = { url: "http://t.co/a", display_url: "a.example", expanded_url: "http://a.example", indices: [0, 13] };
  const sizes = { thumb: { w: 150, h: 151, resize: "crop" }, large: { w: 1024, h: 768, resize: "fit" } };
  const media = [{ ...link, media_url: "http://m", media_url_https: "https://m", type: "photo", sizes }];
  const mention = { screen_name: "a", name: "A", id_str: "5", indices: [28, 30] };
  const gone = { screen_name: "gone", name: "", id_str: "", indices: [31, 36] };
  const hashtag = { text: "twitter", indices: [46, 54] };
  const entities = {
    urls: [link, { url: "http://t.co/b", expanded_url: null, indices: [14, 27] }],
    user_mentions: [
      { ...mention, id: 5 },
      { ...gone, id: -1, id_str: "-1" },
      { ...gone, id: 0 },
    ],
    hashtags: [hashtag, { text: "ours", indicies: [55, 60] }],
    media,
    symbols: [{ text: "TWTR", indices: [61, 66] }],
  };
  const { status } = jsonOf(ImportedStatusSchema, parseStatus(twitterStatus("1", { entities })).message);
  assert.equal((status as JsonObject).entities, {
    media,
    urls: [link, { url: "http://t.co/b", display_url: "", expanded_url: "", indices: [14, 27] }],
    user_mentions: [mention, gone, gone].map((fields) => ({ ...fields, id: "0" })),
    hashtags: [hashtag, { text: "ours", indices: [55, 60] }],
  });
});

Status("gets both orders of its place, from coordinates if there are any", () => {
  const coordinates = { type: "Point", coordinates: [-157.8583, 21.3069] };
  const geo = { type: "Point", coordinates: [1.5, 2] };
  const placeOf = (fields: JsonObject) => {
    const status = parseStatus(twitterStatus("1", fields)).message.status;
    return [status?.geo, status?.coordinates].map((point) => point && [point.type, ...point.coordinates]);
  };
  const orders = (first: number, second: number) => [
    ["Point", first, second],
    ["Point", second, first],
  ];
  assert.equal(placeOf({ coordinates }), orders(21.3069, -157.8583));
  assert.equal(placeOf({ coordinates, geo }), orders(21.3069, -157.8583));
  assert.equal(placeOf({ geo }), orders(1.5, 2));
  assert.equal(placeOf({}), [undefined, undefined]);
});

Status("has no text where it has pictures alone, and all pictures of its extended entities", () => {
  const picture = (name: string) => ({ media_url: name, indices: [0, 0] });
  const entities = { media: [picture("one")] };
  const alone = parseStatus(twitterStatus("1", { text: "", entities })).message.status;
  assert.equal([alone?.text, alone?.entities?.media.length], ["", 1]);
  const extended_entities = { media: [picture("one"), picture("two")] };
  const all = parseStatus(twitterStatus("1", { entities, extended_entities })).message.status;
  assert.equal(valuesOf(all?.entities?.media ?? [], "mediaUrl"), ["one", "two"]);
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
  for (const [fields, reason] of cases) assert.is(refusalOf(parseStatus, twitterStatus("1", fields)), reason);
  assert.is(refusalOf(parseStatus, null), "the status is not an object");
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

Status("is read alike with numbers as texts, one entity in place of a list, and empty objects as absent", () => {
  const place = { indices: [1, 3] };
  const media = [{ ...place, media_url: "p", sizes: { small: { w: 680, h: 510, resize: "fit" } } }];
  const fields = {
    entities: { user_mentions: [{ ...place, id_str: "5" }], hashtags: [place], urls: [place], media },
    coordinates: { type: "Point", coordinates: [-73.5, 40.25] },
    retweet_count: 7,
  };
  const asTexts = JSON.parse(JSON.stringify(fields), (_, value) => (typeof value === "number" ? `${value}` : value));
  asTexts.entities.hashtags = asTexts.entities.hashtags[0];
  const { message, defaulted } = parseStatus(twitterStatus("1", { ...asTexts, favorited: "false", geo: {} }));
  const expected = parseStatus(twitterStatus("1", fields)).message;
  assert.equal([message, defaulted], [expected, []]);
  assert.equal(message.status?.entities?.media[0]?.sizes.small?.w, 680);
  assert.is(parseStatus(twitterStatus("1", { retweet_count: "100+" })).message.status?.retweetCount, 100);
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
  for (const plain of ["a < b &amp; c", "R&D, spelled &amp;", "&copy; &amp;"]) assert.is(textOf(plain), plain);
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
  const initial = (...editTweetIds: string[]) => ({ editTweetIds, editsRemaining: "4" });
  const cases: [JsonObject, string[]][] = [
    [{}, []],
    [{ edit_info: { initial: initial("20") } }, []],
    [{ edit_info: { initial: initial("20", "100") } }, ["20", "100"]],
    [{ edit_info: { edit: { initialTweetId: "9", editControlInitial: initial("9", "20") } } }, ["9", "20"]],
    [{ edit_info: { edit: { initialTweetId: "9" } } }, ["9", "20"]],
    [{ edit_history: { edit_tweet_ids: ["9", "20"] } }, ["9", "20"]],
    [{ edit_history_tweet_ids: ["9", "20"] }, ["9", "20"]],
    [{ edit_info: "odd" }, []],
  ];
  for (const [fields, versions] of cases)
    assert.equal(parseStatus(twitterStatus("20", fields)).versions, versions, JSON.stringify(fields));
});

Status.run();
