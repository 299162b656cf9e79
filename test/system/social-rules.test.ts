import * as assert from "uvu/assert";
import { publish, valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { askAs, signUp, type Visitor } from "../support/visitors.ts";

// Rules where test/contract/cases cannot test them: with many users and many statuses, and suspended users.

const Rules = suite("rules of lookups, timelines and suspensions");
// Long timeouts, since a busy machine is slow.
const system = useSystem(Rules, { SERVICE_TIMEOUT_MS: "60000" });
let ann: Visitor;
/** Ids of 205 statuses of ann, newest first. */
const published: number[] = [];

Rules.before(async () => {
  ann = await signUp(system, "ann");
  for (let index = 0; index < 205; index++) published.unshift(Number((await publish(system, ann, `${index}`)).id));
});

Rules("a profile has the user's newest status, without a user field", async () => {
  const [shown] = (await askAs(system, "/social/ann")).results;
  const status = shown?.status as Record<string, unknown>;
  assert.equal([status.text, status.id, "user" in status], ["204", published[0], false]);
});

Rules("1,000 entries are all returned in the requested order, ids before names", async () => {
  await system.database.query(
    `with made as (
       insert into social.profile (user_id, screen_name, name, created_at)
       select 1000000 + n, 'many' || n, 'Many', now() from generate_series(1, 999) as n returning user_id, screen_name)
     insert into social.screen_name (name_key, user_id) select screen_name, user_id from made`,
  );
  const numbers = Array.from({ length: 999 }, (_, index) => ((index * 500) % 999) + 1);
  const userIds = numbers.slice(0, 600).map((n) => `${1_000_000 + n}`);
  const screenNames = [...numbers.slice(600).map((n) => `MANY${n}`), "ann"];
  const body = JSON.stringify({ screenNames, userIds });
  const { results } = await askAs(system, "/json/reply/SocialUsers", undefined, body);
  assert.equal(valuesOf(results, "screen_name"), [...numbers.map((n) => `many${n}`), "ann"]);
});

Rules(
  "more concurrent pages are returned than the service lists in one call, and only an invalid batch fails",
  async () => {
    const pages = Array.from({ length: 250 }, (_, index) => ({ screenName: "ann", maxId: `${10_000 + index}` }));
    const batches = pages.map((page) => [2, 3].map((take) => ({ ...page, take })));
    const wrong = [{ screenName: "ann", take: 0 }];
    const replies = await Promise.all(
      [...batches, wrong].map((batch) =>
        fetch(`${system.url}/json/reply/SocialTimelines[]`, { method: "POST", body: JSON.stringify(batch) }),
      ),
    );
    const refused = replies.pop();
    assert.equal(new Set(valuesOf(replies, "status")), new Set([200]));
    assert.is(refused?.status, 400);
    assert.match((await refused?.text()) ?? "", '"fieldName":"take"');
  },
);

/** What a page has: the statuses from one place to another one, the newest first. The query is made when there are ids. */
type PageRule = readonly [rule: string, query: () => string, from: number, to: number];
const pages: PageRule[] = [
  ["the newest statuses come first", () => "?take=200", 0, 200],
  ...["", "?take=", "?take=%20"].map(
    (query) => ["take is 100 when it is missing or empty", () => query, 0, 100] as PageRule,
  ),
  ...[1, 2, 100, 199, 200].map((take) => ["take is used as given", () => `?take=${take}`, 0, take] as PageRule),
  ...["201", "1000", "9007199254740993", "9".repeat(40)].map(
    (take) => ["a larger take is 200", () => `?take=${take}`, 0, 200] as PageRule,
  ),
  ["sinceId is exclusive", () => `?sinceId=${published[3]}`, 0, 3],
  ["sinceId is exclusive, and need not be an id", () => `?sinceId=${(published[3] as number) - 1}`, 0, 4],
  ["nothing is newer than the newest status", () => `?sinceId=${published[0]}`, 0, 0],
  ["sinceId may be 0", () => "?sinceId=0&take=200", 0, 200],
  ["sinceId with take gives the newest of the later statuses", () => `?sinceId=${published[100]}&take=5`, 0, 5],
  ["maxId is inclusive", () => `?maxId=${published[200]}`, 200, 205],
  ["maxId is inclusive, and need not be an id", () => `?maxId=${(published[200] as number) - 1}`, 201, 205],
  ["nothing has an id of 0", () => "?maxId=0", 0, 0],
  ["maxId may be 2^53-1", () => "?maxId=9007199254740991&take=3", 0, 3],
  ["both may bound a page", () => `?sinceId=${published[20]}&maxId=${published[10]}`, 10, 20],
  ["both may leave nothing", () => `?sinceId=${published[10]}&maxId=${published[20]}`, 0, 0],
];
for (const [rule, query, from, to] of pages) {
  Rules(rule, async () => {
    const { results } = await askAs(system, `/social/ann/timelines${query()}`);
    assert.equal(valuesOf(results, "id"), published.slice(from, to), query());
  });
}

Rules("suspended users may read, and are refused every write", async () => {
  const [bob, bea] = [await signUp(system, "bob"), await signUp(system, "bea")];
  await system.clients.moderation.suspend({ userId: bob.id });
  assert.is((await askAs(system, `/social/${bea.name}/timelines`, bob.session)).status, 200);
  assert.is((await askAs(system, "/profile/blocks", bob.session)).status, 200);
  for (const [path, body] of [
    ["/timelines/publish", '{"text":"x"}'],
    ["/timelines/delete", '{"id":1}'],
    ["/profile", '{"location":"x"}'],
    ["/auth/password", '{"oldPassword":"correct horse","newPassword":"battery staple"}'],
    ["/auth/password", '{"oldPassword":"wrong horse","newPassword":"battery staple"}'],
    ["/profile", '{"ifVersion":77,"location":"x"}'],
    [`/social/${bea.name}/timelines/1/mark`, '{"favorited":true}'],
    [`/social/${bea.name}/follow`, "{}"],
    [`/social/${bea.name}/follow`, '{"following":false}'],
    [`/social/${bea.name}/answer`, '{"approved":true}'],
    [`/social/${bea.name}/block`, "{}"],
    [`/social/${bea.name}/mute`, '{"muted":false}'],
    [`/social/${bea.name}/report`, '{"reason":"x"}'],
    ["/social/no_such_user/follow", "{}"],
  ] as const) {
    const { status, errorCode } = await askAs(system, path, bob.session, body);
    assert.equal([status, errorCode], [403, "Suspended"], path);
  }
  assert.is((await askAs(system, "/timelines/publish", bob.session, '{"text":""}')).status, 400);
  await system.clients.profiles.setVerified({ userId: bob.id, verified: true });
  assert.is((await askAs(system, "/profile/delete", bob.session, '{"password":"correct horse"}')).status, 200);
});

Rules("suspended users are refused as the target of writes by others", async () => {
  const [bob, bea] = [await signUp(system, "bob_again"), await signUp(system, "bea_again")];
  const { id } = await publish(system, bob);
  await system.clients.moderation.suspend({ userId: bob.id });
  for (const [path, body] of [
    [`/social/${bob.name}/timelines/${id}/mark`, '{"favorited":true}'],
    [`/social/${bob.name}/follow`, "{}"],
    [`/social/${bob.name}/answer`, '{"approved":false}'],
    [`/social/${bob.name}/block`, "{}"],
    [`/social/${bob.name}/mute`, "{}"],
    [`/social/${bob.name}/report`, '{"reason":"x"}'],
    ["/timelines/publish", `{"text":"x","inReplyToScreenName":"${bob.name}","inReplyToStatusId":${id}}`],
  ] as const) {
    const { status, errorCode } = await askAs(system, path, bea.session, body);
    assert.equal([status, errorCode], [403, "Suspended"], path);
  }
});

Rules.run();
