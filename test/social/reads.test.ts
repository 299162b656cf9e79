import { create, fromBinary, fromJson, ScalarType, toBinary, toJson } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import { type Entities, EntitiesSchema } from "../../proto/gen/social/v1/entities_pb.ts";
import type { ProfileResult } from "../../proto/gen/social/v1/profiles_pb.ts";
import {
  SocialService,
  SocialTimelinesRequestSchema,
  SocialTimelinesResponseSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import { type Status, type UserSummary, UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { shownUsersHeader, viewerHeader, viewerVersionHeader } from "../../services/platform/connect/identity.ts";
import { setViewerState, viewerStateOf } from "../../services/social/rpc/viewer-reads.ts";
import { as, type Person, person, protect, publish, register } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Reads = suite("social reads");
const services = useServices(Reads);
const ids: Record<string, bigint> = {};

Reads.before(async () => {
  for (const userName of ["Ann", "Bea", "Cat", "Shy"]) ids[userName] = await register(services, userName);
  for (let index = 0; index < 5; index++) await publish(services, ids.Ann ?? 0n, `ann ${index}`);
  await publish(services, ids.Shy ?? 0n, "whispered");
  await protect(services, { id: ids.Shy ?? 0n });
});

Reads("return the author once, also with an empty page", async () => {
  const { results, author } = await services.clients.social.socialTimelines({ screenName: "CAT" });
  assert.equal([results.length, author?.screenName], [0, "Cat"]);
  const ann = await services.clients.social.socialTimelines({ screenName: "ann" });
  assert.ok(ann.results.every((status) => status.user === undefined));
});

Reads(
  "answer several reads in one call, each as it is alone for its viewer, and leave out what is refused",
  async () => {
    const { clients } = services;
    const { typeName, method } = SocialService;
    const rpc = `${typeName}/${method.socialTimelines.name}`;
    const asked: [viewer: bigint | undefined, request: { screenName: string; take?: bigint }][] = [
      [undefined, { screenName: "ANN", take: 2n }],
      [ids.Shy, { screenName: "shy" }],
      [ids.Bea, { screenName: "shy" }],
      [ids.Bea, { screenName: "ann" }],
      [undefined, { screenName: "nobody" }],
      [undefined, { screenName: "cat" }],
    ];
    services.logged.length = 0;
    const headerOf = (viewer?: bigint): Record<string, string> => (viewer ? { [viewerHeader]: `${viewer}` } : {});
    const { answers } = await clients.reads.readMany({
      reads: [
        ...asked.map(([viewer, request]) => ({
          rpc,
          message: toBinary(SocialTimelinesRequestSchema, create(SocialTimelinesRequestSchema, request)),
          header: headerOf(viewer),
        })),
        // What is no request, no read, for services, for another user.
        { rpc, message: Buffer.from([1]) },
        { rpc: `${PeopleService.typeName}/PublishStatus` },
        { rpc: "social.v1.VersionService/ListVersions" },
        { rpc: `${PeopleService.typeName}/SocialHome`, header: headerOf(ids.Ann) },
      ],
    });
    const refused: number[] = [];
    for (const [index, { message, header }] of answers.entries()) {
      const [viewer, request] = asked[index] ?? [];
      if (message === undefined || request === undefined) {
        refused.push(index);
        continue;
      }
      const replied = new Headers();
      const onHeader = (given: Headers) => given.forEach((value, name) => replied.set(name, value));
      const alone = await clients.social.socialTimelines(request, { headers: headerOf(viewer), onHeader });
      assert.equal(fromBinary(SocialTimelinesResponseSchema, message), alone);
      for (const name of [viewerVersionHeader, shownUsersHeader]) assert.is(header[name] ?? null, replied.get(name));
      assert.is(header[viewerVersionHeader] !== undefined, viewer !== undefined);
    }
    assert.equal(refused, [2, 4, 6, 7, 8, 9]);
    const callers = services.logged.flatMap((line) => (line.rpc === rpc ? [line.caller] : []));
    assert.ok(callers.length > asked.length && callers.every((caller) => caller === "test"), String(callers));
    const tooMany = { reads: Array.from({ length: 201 }, () => ({ rpc })) };
    assert.equal((await refusalOf(clients.reads.readMany(tooMany))).fields, ["reads InclusiveBetween"]);
  },
);

Reads.run();

const ViewerState = suite("the version of the viewer that a reply names");
const rowOf = (version: number | null, isOneRead = true) => ({
  viewer_version: version === null ? null : `${version}`,
  viewer_epoch: version === null ? null : "1",
  is_one_read: isOneRead,
});

/** The headers that name the state and the shown users. */
function namedBy(viewer: bigint | undefined, rows: ReturnType<typeof rowOf>[], userIds?: bigint[]) {
  const header = new Headers();
  setViewerState(header, viewerStateOf(viewer, rows, userIds));
  return [header.get(viewerVersionHeader), header.get(shownUsersHeader)];
}

const ids251 = Array.from({ length: 251 }, (_, index) => BigInt(index));
// A reply that was read in several states would be cached under one of them.
const states: [title: string, named: (string | null)[], ...of: Parameters<typeof namedBy>][] = [
  ["is that of all its rows, with each user once", ["7.3.0.1", "1,2"], 7n, [rowOf(3), rowOf(3)], [1n, 2n, 1n]],
  ["is not named where rows have other versions", [null, null], 7n, [rowOf(3), rowOf(4)], [1n]],
  ["is not named where a row has no version", [null, null], 7n, [rowOf(3), rowOf(null)], [1n]],
  ["is not named where the row was read in several statements", [null, null], 7n, [rowOf(10, false)], [1n]],
  ["is not named where one of the rows was", [null, null], 7n, [rowOf(10), rowOf(10, false)], [1n]],
  ["is not named by a reply without rows", [null, null], 7n, [], []],
  ["is not named by rows that were read for no viewer", [null, null], 7n, [rowOf(null)], [1n]],
  ["is not named for an anonymous caller", [null, null], undefined, [rowOf(3)], [1n]],
  ["is sent without users for a reply that is not cached", ["7.3.0.1", null], 7n, [rowOf(3)]],
  ["is sent without users where a header cannot hold them", ["7.3.0.1", null], 7n, [rowOf(3)], ids251],
  ["is sent with 250 users", ["7.4.0.1", `${ids251.slice(1)}`], 7n, [rowOf(4)], ids251.slice(1)],
];
for (const [title, named, ...of] of states) ViewerState(title, () => assert.equal(namedBy(...of), named));

ViewerState.run();

const Views = suite("views of users and statuses");
useServices(Views, {}, services);
let author: Person;
let stranger: Person;

Views.before(async () => {
  [author, stranger] = [await person(services, "ann"), await person(services, "bea")];
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
    for (const caller of [as(), as(stranger)]) {
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
