import { fromJson, ScalarType, toJson } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { type Entities, EntitiesSchema } from "../../proto/gen/social/v1/entities_pb.ts";
import type { ProfileResult } from "../../proto/gen/social/v1/profiles_pb.ts";
import { type Status, type UserSummary, UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { type Person, person } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Views = suite("views of users and statuses");
const services = useServices(Views);
let author: Person;
let stranger: { headers: { "roost-viewer": string } };

Views.before(async () => {
  author = await person(services, "ann");
  stranger = { headers: { "roost-viewer": `${(await person(services, "bea")).id}` } };
});

/** Every entity that a status can have. */
const entities = {
  media: [
    {
      mediaUrl: "http://a.example/1.jpg",
      mediaUrlHttps: "https://a.example/1.jpg",
      url: "https://a.example",
      displayUrl: "a.example/ü",
      expandedUrl: "https://a.example/1",
      type: "photo",
      indices: [0, 1],
      sizes: { thumb: { w: 150, h: 150, resize: "crop" }, large: { w: 1024, h: 0, resize: "" } },
    },
  ],
  urls: [{ url: "https://b.example", displayUrl: "", expandedUrl: "https://b.example", indices: [128, 16_384] }],
  userMentions: [{ id: "9007199254740991", name: "é 😀", screenName: "ann", indices: [2, 6] }],
  hashtags: [{ text: "", indices: [] }],
};
/** The same as the message has it. */
const withEntities = { ...entities, userMentions: [{ ...entities.userMentions[0], idStr: "9007199254740991" }] };
const none = { urls: [], userMentions: [], hashtags: [] };

/** Columns of statuses, each with a value and another one that is its zero or null. */
const statuses = [
  {
    text: "tab\t, \u0001 \u2028 é 😀 \\x41 \"'".padEnd(300, "ß"),
    source: "web",
    created_at: "2024-02-29T23:59:59.9999Z",
    latitude: -0.5,
    longitude: 1e-7,
    entities,
    retweet_count: 2_147_483_647,
    in_reply_to_status_id: "9007199254740991",
    in_reply_to_user_id: "127",
    in_reply_to_screen_name: "Bea",
    truncated: true,
  },
  {
    text: "",
    source: "",
    created_at: "1999-12-31T23:59:59.5Z",
    latitude: null,
    longitude: null,
    entities: none,
    retweet_count: 0,
    in_reply_to_status_id: "0",
    in_reply_to_user_id: null,
    in_reply_to_screen_name: "",
    truncated: false,
  },
];

/** Columns of profiles in the same way. */
const profiles = [
  {
    name: "Ann é 😀".padEnd(200, "ü"),
    url: "",
    utc_offset: -28_800,
    time_zone: "",
    description: '"Tides" & bread',
    verified: true,
    profile_background_tile: true,
    followers_count: 2_147_483_647,
    created_at: "2008-08-27T13:08:45.123456Z",
  },
  {
    name: "",
    url: null,
    utc_offset: 0,
    time_zone: null,
    description: "",
    verified: false,
    profile_background_tile: false,
    followers_count: 0,
    created_at: "2000-01-01T00:00:00Z",
  },
];

async function store(round: number): Promise<void> {
  await services.database.query(
    `insert into social.status (author_id, id, text, source, created_at, latitude, longitude, entities, retweet_count,
       in_reply_to_status_id, in_reply_to_user_id, in_reply_to_screen_name, truncated)
     select $1, $2, text, source, created_at, latitude, longitude, entities, retweet_count,
       in_reply_to_status_id, in_reply_to_user_id, in_reply_to_screen_name, truncated
     from jsonb_populate_record(null::social.status, $3)`,
    [author.id, 100 * (round + 1), JSON.stringify(statuses[round])],
  );
  await services.database.query(
    `update social.profile set ${columns.map(({ name }) => `${name} = new.${name}`).join(", ")},
       last_status_id = $2, last_unrestricted_id = $2
     from jsonb_populate_record(null::social.profile, $3) as new where profile.user_id = $1`,
    [author.id, 100 * (round + 1), JSON.stringify({ ...plainProfile(round), ...profiles[round] })],
  );
}

/** The columns of a profile that are fields of a user, all but those that the test needs as they are. */
const columns = UserSummarySchema.fields.filter(
  ({ name }) => !["id", "screen_name", "notifications", "protected"].includes(name),
);

/** Another value for each column, so that none can take another one's place; of the other round an empty one. */
function plainProfile(round: number): object {
  const values = (name: string, place: number) => ({
    [ScalarType.STRING]: [`a ${name}`, ""],
    [ScalarType.BOOL]: [true, false],
    [ScalarType.INT32]: [place + 1, 0],
  });
  return Object.fromEntries(
    columns.map(({ name, scalar }, place) => [name, values(name, place)[scalar as ScalarType.STRING][round]]),
  );
}

/** The public fields of those statuses. */
const sentStatuses = [
  {
    id: 100n,
    text: statuses[0]?.text,
    source: "web",
    createdAt: "Thu Feb 29 23:59:59 +0000 2024",
    geo: { $typeName: "social.v1.Geo", type: "Point", coordinates: [-0.5, 1e-7] },
    coordinates: { $typeName: "social.v1.Geo", type: "Point", coordinates: [1e-7, -0.5] },
    retweetCount: 2_147_483_647,
    inReplyToStatusId: 9_007_199_254_740_991n,
    inReplyToUserId: 127n,
    inReplyToScreenName: "Bea",
    truncated: true,
    favorited: false,
    retweeted: false,
  },
  {
    id: 200n,
    text: "",
    source: "",
    createdAt: "Fri Dec 31 23:59:59 +0000 1999",
    retweetCount: 0,
    inReplyToStatusId: 0n,
    inReplyToScreenName: "",
    truncated: false,
    favorited: false,
    retweeted: false,
  },
];

const joined = ["Wed Aug 27 13:08:45 +0000 2008", "Sat Jan 01 00:00:00 +0000 2000"];

/** The fields that have a value, but for the entities. */
function plain(status: Status | undefined): object {
  const { $typeName: _type, entities: _, ...fields } = status as Status;
  return fields;
}

/** The fields of a user, by the names of their columns; undefined for null. */
function columnsOf(user: object): Record<string, unknown> {
  const fields = user as Record<string, unknown>;
  return Object.fromEntries(columns.map(({ name, localName }) => [name, fields[localName]]));
}

for (const round of [0, 1]) {
  Views(`have every stored field, for anonymous callers and viewers: ${["values", "zeros"][round]}`, async () => {
    await store(round);
    const stored = { ...plainProfile(round), ...profiles[round], created_at: joined[round] };
    const user = Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, value ?? undefined]));
    const { socialTimelines, socialUsers } = services.clients.social;
    for (const caller of [{}, stranger]) {
      const { results, author: sent } = await socialTimelines({ screenName: author.name }, caller);
      assert.equal(results.map(plain), sentStatuses.slice(0, round + 1).toReversed());
      assert.equal(columnsOf(sent as UserSummary), user);
      const [found] = (await socialUsers({ screenNames: [author.name] }, caller)).results;
      assert.equal(columnsOf(found as ProfileResult), user);
      assert.equal(plain(found?.status), sentStatuses[round]);
      const sentEntities = toJson(EntitiesSchema, found?.status?.entities as Entities);
      assert.equal(sentEntities, toJson(EntitiesSchema, fromJson(EntitiesSchema, [withEntities, {}][round] ?? {})));
    }
  });
}

Views.run();
