import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Person, person } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";

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
    `update social.profile set name = new.name, url = new.url, utc_offset = new.utc_offset, time_zone = new.time_zone,
       description = new.description, verified = new.verified, profile_background_tile = new.profile_background_tile,
       followers_count = new.followers_count, created_at = new.created_at, last_status_id = $2, last_unrestricted_id = $2
     from jsonb_populate_record(null::social.profile, $3) as new where profile.user_id = $1`,
    [author.id, 100 * (round + 1), JSON.stringify(profiles[round])],
  );
}

/** A user without the fields that only viewers get. */
function withoutRelation<User extends object>(user: User | undefined): User | undefined {
  const relation = ["following", "followRequestSent", "notifications"];
  for (const name of relation) delete (user as Record<string, unknown> | undefined)?.[name];
  return user;
}

for (const round of [0, 1]) {
  PublicViews(`is the same as a stranger is sent, field by field: ${["values", "zeros"][round]}`, async () => {
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
