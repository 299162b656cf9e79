import * as assert from "uvu/assert";
import { createLog } from "../../services/platform/log.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { password, register } from "../support/people.ts";
import { startTestPgBouncer, type TestPgBouncer } from "../support/pgbouncer.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import type { TestDatabase } from "../support/test-database.ts";

const Pooler = suite("a pooler in transaction mode before Postgres");
const database: TestDatabase = await createTestDatabase();
let dateStyles = 0;
const bouncer = (await startTestPgBouncer(database.social, (text) => {
  if (/set datestyle/i.test(text)) dateStyles++;
})) as TestPgBouncer;
const test = bouncer ? Pooler : Pooler.skip;
if (!bouncer) console.log("!! No pgbouncer on this machine: a pooler in transaction mode was NOT tested.");
let system: TestSystem;

Pooler.before(async () => {
  if (!bouncer) return;
  const poolers = {
    ACCOUNT_POOLER_URL: bouncer.url(database.account),
    SOCIAL_POOLER_URL: bouncer.url(database.social),
  };
  system = await startTestSystem(poolers, database);
});
Pooler.after(async () => {
  if (bouncer) await system.stop();
  else await database.drop();
  await bouncer?.stop();
});

test("may run every statement in another session, and every write is made once", async () => {
  const { accountPeople, sessions, statuses, graph, social, verify } = system.clients;
  const people = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const userName = `person${index}`;
      return { userName, userId: await register(system, userName) };
    }),
  );
  const [first] = people as [(typeof people)[number]];
  const published = await Promise.all(
    people.flatMap(({ userId }) =>
      Array.from({ length: 5 }, (_, index) => statuses.publishStatus({ authorId: userId, text: `status ${index}` })),
    ),
  );
  assert.is(new Set(published.map(({ status }) => status?.id)).size, 60);
  await Promise.all(people.slice(1).map(({ userId }) => graph.follow({ followerId: userId, userId: first.userId })));
  const pages = await Promise.all(people.map(({ userName }) => social.socialTimelines({ screenName: userName })));
  assert.ok(pages.every(({ results }) => results.length === 5));
  const reply = await fetch(`${system.url}/social/person0`);
  assert.is(((await reply.json()) as { results: { followers_count: number }[] }).results[0]?.followers_count, 11);
  const signedIn = await accountPeople.authenticate({ userName: "person0", password });
  assert.is((await sessions.findSessionUsers({ sessionIds: [signedIn.sessionId] })).userIds[0], first.userId);
  const { drifts } = await verify.recountProfiles({ afterUserId: 0n });
  assert.equal(drifts, []);
  assert.equal(
    system.logged.filter(({ level }) => Number(level) >= 40),
    [],
  );
});

test("sets the form of dates once in a session at most, and not before each transaction", async () => {
  const pool = createPool(bouncer.url(database.social), "test", createLog("test", "silent"), { isPooled: true });
  for (let query = 0; query < 20; query++) await pool.query("select 1");
  await pool.end();
  assert.ok(dateStyles < 20, `${dateStyles}`);
});

test("detects statements that are prepared in one session and used in another", async () => {
  const pool = createPool(bouncer.url(database.social), "test", createLog("test", "silent"));
  const outcome = await pool.query("select 1").then(
    () => "answered",
    (error: Error) => error.message,
  );
  assert.match(outcome, "unsupported startup parameter");
  await pool.end();
});

Pooler.run();
