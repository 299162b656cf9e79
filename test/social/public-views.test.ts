import { fromBinary, ScalarType } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import type { ProfileResult } from "../../proto/gen/social/v1/profiles_pb.ts";
import { SocialUsersResponseSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import type { PublicProfile } from "../../services/social/store/profiles/list-public-profiles.ts";
import { resultFields, sentRow, statusFields } from "../../services/social/store/sent-fields.ts";
import { compilePublicProfiles } from "../../services/social/views/public-profiles.ts";
import { type Person, person } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const PublicViews = suite("what anonymous callers are sent");
let services: TestServices;
let author: Person;
let stranger: { headers: { "roost-viewer": string } };

PublicViews.before(async () => {
  services = await startTestServices();
  author = await person(services, "ann");
  stranger = { headers: { "roost-viewer": `${(await person(services, "bea")).id}` } };
});
PublicViews.after(() => services.stop());

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

function plainProfile(round: number): object {
  const plain = { [ScalarType.STRING]: ["text", ""], [ScalarType.BOOL]: [true, false], [ScalarType.INT32]: [7, 0] };
  return Object.fromEntries(columns.map(({ name, scalar }) => [name, plain[scalar as keyof typeof plain][round]]));
}

/** A user without the fields that only viewers get. */
function withoutRelation<User extends object>(user: User | undefined): User | undefined {
  const relation = ["following", "followRequestSent", "notifications"];
  for (const name of relation) delete (user as Record<string, unknown> | undefined)?.[name];
  return user;
}

for (const round of [0, 1]) {
  PublicViews(`is that of a viewer without relations, field by field: ${["values", "zeros"][round]}`, async () => {
    await store(round);
    const { socialTimelines, socialUsers } = services.clients.social;
    const seen = await socialTimelines({ screenName: author.name }, stranger);
    const sent = await socialTimelines({ screenName: author.name });
    assert.is(sent.results.length, round + 1);
    assert.equal(sent.results, seen.results);
    assert.equal(sent.author, withoutRelation(seen.author));
    assert.is(sent.freshness, seen.freshness);
    const { results: seenUsers } = await socialUsers({ screenNames: [author.name] }, stranger);
    const { results: sentUsers } = await socialUsers({ screenNames: [author.name] });
    assert.equal(sentUsers, seenUsers.map(withoutRelation));
  });
}

PublicViews("has the fields of a user that come after the newest status, if there are any", async () => {
  const all = [...resultFields.before, ...resultFields.after];
  const [before, after] = [all.slice(0, 9), all.slice(9)];
  const [row] = await services.database.query(
    `select screen_name, ${sentRow(before)} as before, ${sentRow(after)} as after, null as status
     from social.profile where user_id = $1`,
    [author.id],
  );
  const versions = { user_id: author.id, content_version: 1n, counters_version: 1n, epoch: "1" };
  const rows = [{ ...row, ...versions } as unknown as PublicProfile];
  const encoded = compilePublicProfiles({ before, after }, statusFields, () => true)(rows);
  const [user] = fromBinary(SocialUsersResponseSchema, encoded).results;
  const [sent] = (await services.clients.social.socialUsers({ screenNames: [author.name] })).results;
  for (const result of [user, sent] as ProfileResult[]) {
    result.freshness = "";
    delete result.status;
  }
  assert.equal(user, sent);
});

PublicViews("is the same as JSON", async () => {
  const post = async (rpc: string, body: object) => {
    const reply = await fetch(`${services.socialUrl}/social.v1.SocialService/${rpc}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await reply.json()) as { results: { screenName?: string; source?: string; id: string }[] };
  };
  const timeline = await post("SocialTimelines", { screenName: author.name });
  assert.equal(
    timeline.results.map(({ id, source }) => [id, source]),
    [
      ["200", undefined],
      ["100", "web"],
    ],
  );
  const users = await post("SocialUsers", { screenNames: [author.name] });
  assert.equal(
    users.results.map(({ screenName }) => screenName),
    [author.name],
  );
});

PublicViews.run();
