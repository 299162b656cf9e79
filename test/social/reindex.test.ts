import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { createLog } from "../../services/platform/log.ts";
import { countRefusals } from "../../services/platform/metrics/instruments.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { createPool, type Pool } from "../../services/platform/postgres/pool.ts";
import { reindex } from "../../services/social/reindex/reindex.ts";
import { createWriteQueue } from "../../services/social/write-queue.ts";
import { type Person, person } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { numbered, publishWith } from "./pages.ts";

const Reindex = suite("reindex");
let services: TestServices;
let pool: Pool;
let ann: Person;
let bea: Person;

Reindex.before(async () => {
  services = await startTestServices();
  pool = createPool(services.database.social, "test-reindex", createLog("test", "silent"));
  [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
});
Reindex.after(async () => {
  await pool.end();
  await services.stop();
});

const run = () => reindex({ pool, writes: createWriteQueue(countRefusals(createRegistry())) });
const query = (text: string, values?: unknown[]) => services.database.query(text, values);

const publish = (author: Person, text: string) => publishWith(services, author, text);

async function texts(q: string): Promise<string[]> {
  return (await services.clients.people.searchStatuses({ q })).results.map(({ text }) => text);
}

async function names(q: string): Promise<string[]> {
  return (await services.clients.people.searchUsers({ q })).results.map(({ screenName }) => screenName);
}

/** All that searches read. */
async function stored() {
  return [
    await query("select word, id, author_id from social.status_word order by 1, 2, 3"),
    await query(
      "select author_id, id, words, search_rules from social.status where repost_of_id is null order by 1, 2",
    ),
    await query("select prefix, name_key, user_id from social.name_prefix order by 1, 2, 3"),
    await query("select user_id, search_rules from social.profile order by 1"),
  ];
}

/** Makes all rows what an earlier release left. */
async function forget(): Promise<void> {
  await query("delete from social.status_word");
  await query("delete from social.name_prefix");
  await query("update social.status set words = null, search_rules = null");
  await query("update social.profile set search_rules = null");
  await query("update social.search_state set rules = 0");
}

Reindex("makes the words of rows from before, as if they were written now, and of reposts none", async () => {
  for (let number = 0; number < 450; number++) {
    await query(
      `insert into social.status (author_id, id, text, source, created_at, entities)
       values ($1, $2, $3, '', now(), '{"urls":[],"userMentions":[],"hashtags":[]}')`,
      [number % 3 === 0 ? ann.id : bea.id, 1_000 + number, `old ${number}`],
    );
  }
  const id = await publish(ann, 'null "quoted" {a,b} 東京 d\'été');
  await services.clients.people.markStatus({ userId: bea.id, screenName: ann.name, id, retweeted: true });
  await run();
  const before = await stored();
  await forget();
  assert.equal([await texts("old"), await names("ann")], [[], [ann.name]], "screen names need no words");
  assert.equal(await run(), { users: 2, statuses: 451 });
  assert.equal(await stored(), before);
  assert.is((await texts("old 449")).length, 1);
  assert.equal(await query("select words from social.status where repost_of_id is not null"), [{ words: null }]);
  assert.is((await query("select rules from social.search_state"))[0]?.rules, 1);
  assert.equal(await run(), { users: 0, statuses: 0 }, "nothing is left to do");
});

Reindex("replaces what other rules made", async () => {
  const id = await publish(ann, "Newest words");
  await query("update social.status set words = array['newest', 'stale'], search_rules = 0 where id = $1", [id]);
  await query("update social.status_word set word = 'stale' where id = $1 and word = 'words'", [id]);
  await query("insert into social.name_prefix (prefix, name_key, user_id) values ('zzz', 'x', $1)", [bea.id]);
  await query("update social.profile set search_rules = 0 where user_id = $1", [bea.id]);
  assert.equal(await run(), { users: 1, statuses: 1 });
  const words = await query("select word from social.status_word where id = $1 order by 1", [id]);
  assert.equal(words, [{ word: "newest" }, { word: "words" }]);
  assert.equal(await query("select from social.name_prefix where prefix = 'zzz'"), []);
});

Reindex("runs while users write and delete, and loses and doubles nothing", async () => {
  await forget();
  const writing = (async () => {
    const ids: bigint[] = [];
    for (let number = 0; number < 40; number++) ids.push(await publish(ann, `during ${number}`));
    for (const id of ids.slice(0, 20))
      await services.clients.people.deleteStatus({ userId: ann.id, id, requestId: crypto.randomUUID() });
    await services.clients.people.updateProfile({ userId: bea.id, name: "Beatrix During" });
  })();
  await Promise.all([run(), run(), writing]);
  assert.equal(await texts("during"), numbered("during", 40).slice(20).toReversed());
  assert.equal(await names("beat"), [bea.name]);
  const [found] = await query(
    `select (select count(*) from social.status where repost_of_id is null and search_rules is distinct from 1) as old,
       (select count(*) from (select author_id, id, unnest(words) as word from social.status
          except select author_id, id, word from social.status_word) as missing) as missing,
       (select count(*) from (select author_id, id, word from social.status_word
          except select author_id, id, unnest(words) from social.status) as left_over) as left_over`,
  );
  assert.equal(found, { old: "0", missing: "0", left_over: "0" });
});

Reindex("is a command", async () => {
  await forget();
  const call = (...args: string[]) =>
    promisify(execFile)(process.execPath, [...process.execArgv, "services/social/reindex/main.ts", ...args], {
      env: { ...process.env, SOCIAL_DATABASE_URL: services.database.social },
    });
  assert.match((await call("--help")).stdout, /^usage: npm run reindex/);
  assert.match((await call()).stdout, /^Made the words of 2 users and \d+ statuses\.\n$/);
  assert.is((await texts("during")).length, 20);
  const { code, stderr } = await call("--wrong").catch((error) => error);
  assert.is(code, 2);
  assert.match(stderr, /--wrong/);
});

Reindex.run();
