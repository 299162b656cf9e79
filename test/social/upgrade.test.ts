// A database as it was while writes still announced what they had changed.
import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { migrateTo } from "../support/migrate-to.ts";
import { password, publish, register } from "../support/people.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Upgrade = suite("a database from before versions alone made reads fresh");
const requestId = randomUUID();
let services: TestServices;
let ann: bigint;
let answer: unknown;
let sessions: { open: string; ended: string };

/** Copies the rows of tables as JSON; a column that only one of the databases has is left out. */
async function copyRows(from: TestServices["database"], to: TestServices["database"], tables: readonly string[]) {
  for (const table of tables) {
    const [schema, name] = table.split(".");
    const [row] = await from.query(`select coalesce(json_agg(t), '[]')::text as rows from ${table} t`);
    // Postgres makes generated columns itself.
    const columns = await to.query(
      `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
       where table_schema = $1 and table_name = $2 and is_generated = 'NEVER'`,
      [schema, name],
    );
    const names = columns[0]?.names as string;
    const rows = `json_populate_recordset(null::${table}, $1::json)`;
    await to.query(`insert into ${table} (${names}) select ${names} from ${rows}`, [row?.rows]);
  }
}

Upgrade.before(async () => {
  const now = await startTestServices();
  ann = await register(now, "ann");
  const write = () => now.clients.statuses.publishStatus({ authorId: ann, text: "once", requestId });
  answer = await write();
  const signIn = async () => (await now.clients.accountPeople.authenticate({ userName: "ann", password })).sessionId;
  sessions = { open: await signIn(), ended: await signIn() };

  const database = await createTestDatabase("tr");
  await migrateTo(11, "account", database.account);
  await migrateTo(19, "social", database.social);
  await copyRows(now.database, database, [
    "account.account",
    "account.session",
    "social.screen_name",
    "social.profile",
    "social.status",
    "social.request",
  ]);
  await now.stop();
  await database.query(`
    update account.session set ended_at = now() where created_at = (select max(created_at) from account.session where signed_in);
    insert into account.announcer (id, keep_ms) values (gen_random_uuid(), 1000);
    insert into social.announcer (id, keep_ms) values (gen_random_uuid(), 1000);
    update social.profile set former_name = 'anna';
    update social.request set subjects = '[{"kind": "author", "screenName": "ann"}]';
    insert into social.undone_repost (author_id, screen_name) values (1, 'bea');
    insert into social.removed_profile (user_id, screen_name, former_name) values (2, 'cy', 'cyd')`);
  services = await startTestServices({}, database);
});
Upgrade.after(() => services?.stop());

Upgrade("gives the answer of a request that was answered before, and publishes nothing", async () => {
  assert.equal(await services.clients.statuses.publishStatus({ authorId: ann, text: "once", requestId }), answer);
  const { results } = await services.clients.social.socialTimelines({ screenName: "ann" });
  assert.equal(
    results.map(({ text }) => text),
    ["once"],
  );
});

Upgrade("takes writes, each of which gives another version", async () => {
  const versions = async () => (await services.clients.versions.listVersions({ screenNames: ["ann"] })).versions;
  const before = await versions();
  await publish(services, ann);
  assert.not.equal(await versions(), before);
  await services.clients.profiles.deleteProfile({ userId: ann });
  assert.equal(await versions(), ["unknown"]);
});

Upgrade("keeps the sessions that were open, and none that had ended", async () => {
  assert.equal([await services.userOf(sessions.open), await services.userOf(sessions.ended)], [ann, undefined]);
});

Upgrade.run();
