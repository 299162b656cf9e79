// Contract §7 where test/contract/cases cannot test it: protected users with several kinds of readers, and many users.

import * as assert from "uvu/assert";
import { publish } from "../support/people.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import type { TestSystem } from "../support/system.ts";
import { askAs, signUp, startProtected, type Visitor } from "../support/visitors.ts";

const Users = suite("SocialUsers rules");
let system: TestSystem;
let people: Awaited<ReturnType<typeof startProtected>>;

useSharedSystem(Users, (shared) => (system = shared));
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
