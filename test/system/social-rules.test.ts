import * as assert from "uvu/assert";
import { times } from "../support/long.ts";
import { publish, textsOf } from "../support/people.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { askAs, signUp, startProtected, type Visitor } from "../support/visitors.ts";

// Contract §7 where test/contract/cases cannot test it: protected users with several kinds of readers, and many users.

const Users = suite("SocialUsers rules");
let people: Awaited<ReturnType<typeof startProtected>>;

const system = useSharedSystem(Users);
Users.before(async () => {
  people = await startProtected(system, "2");
});

Users("a protected user's profile is shown to every caller", async () => {
  for (const session of [undefined, ...Object.values(people).map((person) => person.session)]) {
    const { results } = await askAs(system, "/social/author2", session);
    assert.equal(
      results.map((user) => [user.screen_name, user.protected, user.statuses_count]),
      [["author2", true, 1]],
    );
  }
});

Users("a protected user's status is shown only to approved followers and the user", async () => {
  const seen = async (who: Visitor | undefined, path = "/social/author2") =>
    ((await askAs(system, path, who?.session)).results[0]?.status as { text: string } | undefined)?.text;
  const { author, approved, waiting, former, stranger } = people;
  assert.is(await seen(author), "whispered");
  assert.is(await seen(approved), "whispered");
  for (const who of [undefined, waiting, former, stranger]) assert.is(await seen(who), undefined, who?.name);
  for (const who of [author, approved]) assert.is(await seen(who, `/social/ids/${author.id}`), "whispered", who.name);
  assert.is(await seen(stranger, `/social/ids/${author.id}`), undefined);
});

Users("a protected user's status is not shown with JSONP, whatever session is presented", async () => {
  const headers = { authorization: `Bearer ${people.author.session}`, cookie: `ss-id=${people.author.session}` };
  const text = await (await fetch(`${system.url}/social/author2?callback=f`, { headers })).text();
  assert.match(text, /^f\(\{"results":\[\{"name":"author2"/);
  assert.not.match(text, "whispered");
});

Users("a profile has the user's newest status, without a user field", async () => {
  const newest = await publish(system, await signUp(system, "annie"), "first").then(({ authorId }) =>
    system.clients.statuses.publishStatus({ authorId, text: "second" }),
  );
  const [annie] = (await askAs(system, "/social/annie")).results;
  const status = annie?.status as Record<string, unknown>;
  assert.equal([status.text, `${status.id}`, "user" in status], ["second", `${newest.status?.id}`, false]);
});

Users("1,000 entries are all returned in the requested order, ids before names", async () => {
  const made = await system.database.query(
    `with made as (
       insert into social.profile (user_id, screen_name, name, created_at)
       select 1000000 + n, 'many' || n, 'Many', now() from generate_series(1, 999) as n returning user_id, screen_name)
     insert into social.screen_name (name_key, user_id) select screen_name, user_id from made returning user_id`,
  );
  assert.is(made.length, 999);
  const numbers = Array.from({ length: 999 }, (_, index) => ((index * 500) % 999) + 1);
  const userIds = numbers.slice(0, 600).map((n) => `${1_000_000 + n}`);
  const screenNames = [...numbers.slice(600).map((n) => `MANY${n}`), "author2"];
  const response = await fetch(`${system.url}/json/reply/SocialUsers`, {
    method: "POST",
    body: JSON.stringify({ screenNames, userIds }),
  });
  const { results } = (await response.json()) as { results: { screen_name: string }[] };
  assert.equal(
    results.map((user) => user.screen_name),
    [...numbers.map((n) => `many${n}`), "author2"],
  );
});

Users("a viewer's own marks, reposts and relations are shown to no other", async () => {
  const [ann, bea] = [await signUp(system, "viewer_ann"), await signUp(system, "viewer_bea")];
  const status = await publish(system, bea, "hello");
  await system.clients.statuses.favorite({ userId: ann.id, status });
  await system.clients.statuses.repost({ userId: ann.id, status });
  await system.clients.graph.follow({ followerId: ann.id, userId: bea.id });
  const seen = async (session?: string) => {
    const [first] = (await askAs(system, "/social/viewer_bea/timelines", session)).results;
    const [user] = (await askAs(system, "/social/viewer_bea", session)).results;
    return [first?.favorited, first?.retweeted, first?.retweet_count, user?.following];
  };
  assert.equal(await seen(ann.session), [true, true, "1", true]);
  assert.equal(await seen(bea.session), [false, false, "1", false]);
  assert.equal(await seen(), [false, false, "1", undefined]);
});

Users.run();

// Contract §8 where test/contract/cases cannot test it, with many statuses and the services' own calls.

const Timelines = suite("SocialTimelines rules");
let ann: Visitor;
/** Ids of 205 statuses of ann, newest first. */
const published: number[] = [];

useSharedSystem(Timelines);
Timelines.before(async () => {
  people = await startProtected(system);
  ann = await signUp(system, "ann");
  for (let index = 0; index < 205; index++) published.unshift(Number((await publish(system, ann, `${index}`)).id));
});

async function page(query = ""): Promise<number[]> {
  const { status, results } = await askAs(system, `/social/ann/timelines${query}`);
  assert.is(status, 200);
  return results.map((status) => status.id as number);
}

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
  Timelines(rule, async () => assert.equal(await page(query()), published.slice(from, to), query()));
}

Timelines("paging with maxId of the last id minus one shows each status exactly once", async () => {
  assert.equal(
    published,
    published.toSorted((a, b) => b - a),
  );
  const seen: number[] = [];
  for (let next = await page("?take=60"); next.length > 0; ) {
    seen.push(...next);
    next = await page(`?take=60&maxId=${(seen.at(-1) as number) - 1}`);
  }
  assert.equal(seen, published);
});

Timelines("every status has its user", async () => {
  const { results } = await askAs(system, "/social/ann/timelines");
  assert.equal([...new Set(results.map(({ user }) => (user as { id: string }).id))], [`${ann.id}`]);
  assert.ok(results.every(({ user }) => !("status" in (user as object))));
});

const answers: [who: keyof typeof people | undefined, status: number, errorCode: string | undefined][] = [
  [undefined, 401, "Unauthorized"],
  ["stranger", 403, "Forbidden"],
  ["waiting", 403, "Forbidden"],
  ["former", 403, "Forbidden"],
  ["approved", 200, undefined],
  ["author", 200, undefined],
];
for (const [who, status, errorCode] of answers) {
  Timelines(`a protected user's timeline is a ${status} to ${who ?? "unknown"}`, async () => {
    const reply = await askAs(system, "/social/AUTHOR/timelines", who && people[who].session);
    assert.equal([reply.status, reply.errorCode], [status, errorCode]);
    assert.equal(textsOf(reply.results), status === 200 ? ["whispered"] : []);
  });
}

Timelines("a protected user's timeline is a 401 to a session that is not signed in, unknown, or of JSONP", async () => {
  const { session } = await signUp(system, "signed_out", { autoLogin: false });
  for (const presented of [session, "unknown"]) {
    assert.is((await askAs(system, "/social/author/timelines", presented)).status, 401);
  }
  const headers = { authorization: `Bearer ${people.author.session}` };
  const response = await fetch(`${system.url}/social/author/timelines?callback=f`, { headers });
  assert.is(response.status, 200);
  assert.match(await response.text(), /^f\(\{"responseStatus":\{"errorCode":"Unauthorized",/);
});

Timelines("the rules of fields are checked before whether the caller may read the user", async () => {
  const reply = await askAs(system, "/social/author/timelines?take=0");
  assert.equal([reply.status, reply.errorCode], [400, "InclusiveBetween"]);
});

Timelines("once a status's publication is acknowledged, every later read shows it", async () => {
  const bea = await signUp(system, "bea");
  for (let index = 0; index < times(5, 50); index++) {
    const { id } = await publish(system, bea, `${index}`);
    const [[first], [profile]] = await Promise.all([
      askAs(system, "/social/bea/timelines?take=1").then(({ results }) => results),
      askAs(system, `/social/ids/${bea.id}`).then(({ results }) => results),
    ]);
    assert.equal([first?.id, (profile?.status as { id: number } | undefined)?.id], [Number(id), Number(id)]);
  }
});

Timelines.run();
