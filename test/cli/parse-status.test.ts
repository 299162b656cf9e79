import { toJson } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { Refusal } from "../../cli/errors.ts";
import { parseStatus } from "../../cli/import/twitter/parse-status.ts";
import type { JsonObject } from "../../cli/json/json.ts";
import { ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { suite } from "../support/suite.ts";
import { twitterStatus, without } from "./samples.ts";

const Status = suite("cli: a status in a file");

Status("is read with all its fields and an unchanged text", () => {
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
      text: " RT @a: x &amp; y 😋\n",
    },
  });
});

Status("keeps all digits of ids that are JSON numbers", () => {
  const status = without(twitterStatus("1"), "id_str", "in_reply_to_status_id_str", "in_reply_to_user_id_str");
  const parsed = parseStatus({
    ...status,
    id: "505874924095815681",
    in_reply_to_status_id: "505874924095815679",
    in_reply_to_user_id: "905874924095815677",
    user: { id: "905874924095815675" },
  });
  assert.is(parsed.id, "505874924095815681");
  assert.is(parsed.author, "905874924095815675");
  assert.is(parsed.message.inReplyToStatusOriginId, "505874924095815679");
  assert.is(parsed.message.inReplyToUserOriginId, "905874924095815677");
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
  assert.is(parseStatus({ ...status, text: "short…" }).message.status?.text, "short…");
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

Status("is refused for the first invalid field, which the reason names", () => {
  const entity = (name: string, fields: JsonObject) => ({ entities: { [name]: [{ indices: [0, 1] }, fields] } });
  const cases: [JsonObject, string][] = [
    [{ id: null, id_str: null }, "id is missing"],
    [{ text: null }, "text is missing"],
    [{ text: "" }, "text is missing"],
    [{ text: 5 }, "text is not a string"],
    [{ user: null }, "user is missing"],
    [{ user: "me" }, "user is not an object"],
    [{ user: {} }, "user.id is missing"],
    [{ created_at: "yesterday" }, 'created_at is not a date such as "Wed Aug 27 13:08:45 +0000 2008"'],
    [{ retweet_count: "many" }, "retweet_count is not a whole number"],
    [{ retweet_count: -1 }, "retweet_count is negative"],
    [{ truncated: 1 }, "truncated is neither true nor false"],
    [{ in_reply_to_status_id_str: "x" }, "in_reply_to_status_id is not an id"],
    [{ entities: [] }, "entities is not an object"],
    [{ entities: { urls: {} } }, "entities.urls is not a list"],
    [{ entities: { urls: ["u"] } }, "entities.urls[0] is not an object"],
    [entity("urls", { url: 1, indices: [0, 1] }), "entities.urls[1].url is not a string"],
    [entity("urls", {}), "entities.urls[1].indices is missing"],
    [entity("hashtags", { indicies: [1] }), "entities.hashtags[1].indicies is not a pair"],
    [entity("hashtags", { indices: [-1, 2] }), "entities.hashtags[1].indices is negative"],
    [entity("user_mentions", { indices: [3, 2] }), "entities.user_mentions[1].indices ends before it starts"],
    [entity("user_mentions", { id: "q", indices: [3, 4] }), "entities.user_mentions[1].id is not an id"],
    [
      entity("media", { indices: [3, 4], sizes: { thumb: { w: "1" } } }),
      "entities.media[1].sizes.thumb.w is not a whole number",
    ],
    [{ geo: { type: "Point", coordinates: [1] } }, "geo is not a point of two numbers"],
    [{ geo: { type: "Polygon", coordinates: [1, 2] } }, "geo is not a point of two numbers"],
    [{ coordinates: { type: "Point", coordinates: [21, -157] } }, "coordinates is not on the globe"],
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

Status.run();
