// A backup of both services, and what a restore gives back while gateways, services and clients go on.
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { UserError } from "../../cli/errors.ts";
import { loadBackupConfig } from "../../services/local/backup/config.ts";
import { runBackup } from "../../services/local/backup/run.ts";
import { startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { prepareDatabase } from "../../services/local/prepare-database.ts";
import { runHere } from "../cli/run-cli.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { eventually } from "../support/eventually.ts";
import { migrateTo } from "../support/migrate-to.ts";
import { password, register } from "../support/people.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { startTestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import type { TestDatabase } from "../support/test-database.ts";
import { askAs, signUp } from "../support/visitors.ts";

const Backup = suite("backup and restore");
const folder = makeDataFolder("roost-backup-");
const file = (name: string) => join(folder, name);
const redis = await startTestRedisFor("a restore, with pages in Redis");
let system: TestSystem;
let ann: bigint;

Backup.before(async () => {
  system = await startTestSystem({ REDIS_TIMEOUT_MS: "5000", ...(redis && { REDIS_URL: redis.url }) });
  ann = await register(system, "ann");
  await publish("first");
});
Backup.after(async () => {
  await system.stop();
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const publish = (text: string) => system.clients.statuses.publishStatus({ authorId: ann, text });

/** Runs the command on a database, or on the embedded Postgres of a home. */
async function run(place: Pick<TestDatabase, "account" | "social"> | string, ...args: string[]): Promise<string[]> {
  const said: string[] = [];
  const env =
    typeof place === "string"
      ? { ROOST_HOME: place }
      : { ACCOUNT_DATABASE_URL: place.account, SOCIAL_DATABASE_URL: place.social };
  const code = await runBackup(
    args,
    () => loadBackupConfig(env),
    (line) => said.push(line),
    (text) => said.push(text),
  );
  assert.is(code, 0, said.join("\n"));
  return said;
}

/** The message with which the command is refused. */
async function refusal(place: Pick<TestDatabase, "account" | "social">, ...args: string[]): Promise<string> {
  const error = await run(place, ...args).then(
    () => assert.unreachable("it was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw error;
  return error.message;
}

const isDone = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  );

async function newest(): Promise<unknown> {
  const { status, results } = await askAs(system, "/social/ann/timelines?take=1");
  assert.is(status, 200);
  return results[0]?.text;
}

Backup(
  "gives an earlier moment back while clients read and write, shows no page of the time after it, and ends all sessions",
  async () => {
    const bob = await signUp(system, "bob");
    const said = await run(system.database, "backup", file("early"));
    assert.match(said.at(-1) ?? "", /early is whole: \d+ tables, \d+ rows, .* of one moment/);
    const cleo = await signUp(system, "cleo");
    await publish("lost");
    for (let round = 0; round < 3; round++) assert.is(await newest(), "lost");

    let isEnding = false;
    let isRestored = false;
    const seenAfter: unknown[] = [];
    const statuses = new Set<number>();
    const read = async () => {
      while (!isEnding) {
        const isAfter = isRestored;
        const { status, results } = await askAs(system, "/social/ann/timelines?take=3");
        statuses.add(status);
        if (isAfter) seenAfter.push(...results.map(({ text }) => text));
      }
    };
    const write = async () => {
      while (!isEnding)
        statuses.add((await askAs(system, "/timelines/publish", bob.session, '{"status":"bob was here"}')).status);
    };
    const clients = [read(), read(), write(), write()];
    await run(system.database, "restore", file("early"), "--replace");
    isRestored = true;
    await eventually("reads after the restore", async () => seenAfter.length > 10);
    isEnding = true;
    await Promise.all(clients);

    const wrong = [...statuses].filter((status) => ![200, 400, 401, 404, 503, 504].includes(status));
    assert.equal(wrong, []);
    assert.equal(new Set(seenAfter), new Set(["first"]));
    for (const { session } of [bob, cleo])
      assert.is((await askAs(system, "/timelines/publish", session, '{"text":"still here"}')).status, 401);
    assert.equal((await askAs(system, "/social/cleo")).results, []);
    const { sessionId } = await system.clients.accountPeople.authenticate({ userName: "bob", password });
    assert.is(await system.userOf(sessionId), bob.id);
    const verified = await runHere(["verify"], { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl });
    assert.is(verified.code, 0);
  },
);

Backup("shows the state of now where the versions of before are given out again", async () => {
  const version = async () =>
    (await system.database.query("select content_version from social.profile where screen_name = 'ann'"))[0];
  await run(system.database, "backup", file("versions"));
  await publish("lost again");
  for (let round = 0; round < 3; round++) assert.is(await newest(), "lost again");
  const lost = await version();
  await run(system.database, "restore", file("versions"), "--replace");
  await eventually("a publication", () => isDone(publish("kept")));
  assert.equal(await version(), lost, "the version was not used again, so the test shows nothing");
  for (let round = 0; round < 3; round++) assert.is(await newest(), "kept");
});

Backup("keeps the jobs of the outbox, which run after the restore", async () => {
  await system.stopSocial();
  const dora = await register(system, "dora");
  await run(system.database, "backup", file("job"));
  await system.startSocial();
  const profile = "select from social.profile where user_id = $1";
  const has = async () => (await system.database.query(profile, [dora])).length === 1;
  await eventually("the profile", has, 60);
  await run(system.database, "restore", file("job"), "--replace");
  await eventually("the profile after the restore", has, 60);
  const left = "select from account_jobs._private_jobs where key = 'create-profile:' || $1";
  await eventually("the end of its job", async () => (await system.database.query(left, [dora])).length === 0);
});

Backup("refuses a file that is cut off, changed, foreign or not there, and changes nothing", async () => {
  await run(system.database, "backup", file("good"));
  const good = readFileSync(file("good"));
  assert.is(statSync(file("good")).mode & 0o077, 0);
  const text = gunzipSync(good);
  const flipped = Buffer.from(text);
  const at = flipped.indexOf("first");
  flipped[at] = (flipped[at] as number) ^ 1;
  const damaged = /damaged or cut off\. Nothing was changed\./;
  const foreign = /is no backup of Roost\./;
  const files: [name: string, bytes: Uint8Array | string, RegExp][] = [
    ["cut", good.subarray(0, -20), damaged],
    ["flipped", good.map((byte, index) => (index === good.length >> 1 ? byte ^ 4 : byte)), damaged],
    ["changed", gzipSync(flipped), damaged],
    ["without its end", gzipSync(text.subarray(0, text.lastIndexOf("\n", text.length - 2) + 1)), damaged],
    ["foreign", '{"users":[]}', foreign],
    ["foreign.gz", gzipSync('{"users":[]}\n'), foreign],
    [
      "later",
      gzipSync(text.toString("latin1").replace('"roost-backup":1', '"roost-backup":2')),
      /made by a newer release/,
    ],
  ];
  await publish("here to stay");
  for (const [name, bytes, message] of files) {
    writeFileSync(file(name), bytes);
    assert.match(await refusal(system.database, "restore", file(name), "--replace"), message, name);
  }
  const missing = await run(system.database, "restore", file("missing"), "--replace").catch((error) => error.code);
  assert.is(missing, "ENOENT");
  const unasked = await refusal(system.database, "restore", file("good"));
  assert.match(unasked, /has data .* add --replace\. Nothing was changed\./);
  assert.is(await newest(), "here to stay");
});

Backup("refuses a file of a newer release by the migration that it lacks", async () => {
  const { query } = system.database;
  await query("insert into social.migration (name, run_on) values ('0099_of_the_future', now())");
  await run(system.database, "backup", file("newer"));
  await query("delete from social.migration where name = '0099_of_the_future'");
  assert.match(
    await refusal(system.database, "restore", file("newer"), "--replace"),
    /another release of Roost, probably a newer one: this one has no migration 0099_of_the_future of the social service/,
  );
  assert.is(await newest(), "here to stay");
});

Backup("leaves no file, and the one of before, where a backup fails", async () => {
  copyFileSync(file("good"), file("kept"));
  await system.database.query("alter table social.migration rename to held");
  try {
    assert.not.ok(await isDone(run(system.database, "backup", file("kept"))));
  } finally {
    await system.database.query("alter table social.held rename to migration");
  }
  assert.equal(readFileSync(file("kept")), readFileSync(file("good")));
  assert.not.ok(existsSync(file("kept.part")));
});

Backup("restores a file of an earlier release, and runs the migrations that it lacks", async () => {
  const [old, now] = [await createTestDatabase("en"), await createTestDatabase("en")];
  try {
    await migrateTo(8, "account", old.account);
    await migrateTo(17, "social", old.social);
    await old.query(
      `insert into account.account (user_id, user_name, display_name, password_hash, claimed, created_at)
       values (7, 'old', E'Old\\t\\\\.\\n\\\\N', 'x', true, '2020-01-01')`,
    );
    await old.query(
      "insert into social.profile (user_id, screen_name, name, created_at) values (7, 'old', 'Old', '2020-01-01')",
    );
    await old.query("insert into social.screen_name (name_key, user_id) values ('old', 7)");
    await old.query(
      "insert into social.status (author_id, id, text, source, created_at, entities) values (7, 9, '', '', now(), '{}')",
    );
    await run(old, "backup", file("old"));
    await run(now, "restore", file("old"));
    const services = await startTestServices({}, { ...now, drop: async () => {} });
    const { results } = await services.clients.social.socialUsers({ screenNames: ["old"] });
    const { account } = await services.clients.account.getAccount({ userId: 7n });
    await services.stop();
    assert.is(results[0]?.id, 7n);
    assert.is(account?.displayName, "Old\t\\.\n\\N");
  } finally {
    await old.drop();
    await now.drop();
  }
});

Backup("takes two databases one after the other, profiles first", async () => {
  const other = await createTestDatabase("en");
  const target = await createTestDatabase("en");
  const split = { account: system.database.account, social: other.social };
  try {
    await migrateTo(22, "social", other.social);
    assert.match((await run(split, "backup", file("split"))).at(-1) ?? "", /accounts later than profiles/);
    await run(target, "restore", file("split"));
    assert.is((await target.query("select from account.account where user_name = 'ann'")).length, 1);
  } finally {
    await other.drop();
    await target.drop();
  }
});

Backup(
  "moves the data of npm start to another server and back, while its Postgres runs and while it does not",
  async () => {
    const home = makeDataFolder("roost-backup-home-");
    const count = ({ query }: TestDatabase) =>
      query("select (select count(*) from account.account), (select count(*) from social.status) as statuses");
    const target = await createTestDatabase("en");
    try {
      await run(system.database, "backup", file("server"));
      await run(home, "restore", file("server"));
      assert.equal(JSON.parse(readFileSync(join(home, "sample.json"), "utf8")), { done: true, loaded: false });
      await run(home, "backup", file("home"));
      const postgres = await startPostgres({ home, durable: false });
      await prepareDatabase(postgres);
      await run(home, "backup", file("running"));
      await postgres.stop();
      await run(target, "restore", file("running"));
      assert.equal(await count(target), await count(system.database));
    } finally {
      await target.drop();
      rmSync(home, { recursive: true, force: true });
    }
  },
);

Backup.run();
