import { randomUUID } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { importProfiles } from "../support/imports.ts";
import { migrateTo } from "../support/migrate-to.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { password, publish, register, textsOf, timelineOf, valuesOf } from "../support/people.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

// A database as it was while writes still announced what they had changed.

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
  assert.equal(textsOf(results), ["once"]);
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

const PlainTexts = suite("migration to plain texts");
const at = "2014-08-31 00:29:15+00";
const ownId = (BigInt(Date.UTC(2014, 7, 31, 0, 29, 15) - Date.UTC(2006, 0, 1)) << 12n) + 5n;
const none = { hashtags: [], urls: [], userMentions: [] };
const hashtag = (start: number) => ({ text: "b", indices: [start, start + 2] });

/** Statuses of user 1 as the last release stored them: their ids, and what they are to be. */
const cases: Record<
  string,
  { text: string; origin: [string, string] | null; hashtags?: object[]; repostOf?: number; becomes: string }
> = {
  escaped: {
    text: "🦉 &lt;a&gt; &amp;#b",
    origin: ["twitter", "505874924095815681"],
    hashtags: [hashtag(17)],
    becomes: "🦉 <a> &#b",
  },
  twice: { text: "&amp;lt;", origin: ["twitter", "7"], becomes: "&lt;" },
  mixed: { text: "a < b &amp; c", origin: ["twitter", "8"], becomes: "a < b &amp; c" },
  other: { text: "R&D &amp;", origin: ["twitter", "9"], becomes: "R&D &amp;" },
  typed: { text: "&lt;3", origin: null, becomes: "&lt;3" },
  // From the export of another system like this one, where it was typed.
  exported: { text: "&lt;3", origin: ["twitter", `${ownId}`], becomes: "&lt;3" },
  // Its id is as short as one of here, and has another time in it.
  early: { text: "&lt;3", origin: ["twitter", "24000000000001"], becomes: "<3" },
  note: { text: "&lt;3", origin: ["mastodon", "https://a.example/1"], becomes: "&lt;3" },
  repost: {
    text: "RT @ann: 🦉 &lt;a&gt; &amp;#b",
    origin: null,
    hashtags: [hashtag(26)],
    repostOf: 1,
    becomes: "RT @ann: 🦉 <a> &#b",
  },
  repostOfTyped: { text: "RT @ann: &lt;3", origin: null, repostOf: 5, becomes: "RT @ann: &lt;3" },
};

PlainTexts.before(async () => {
  const database = await createTestDatabase("en");
  await migrateTo(19, "social", database.social);
  await database.query(
    `insert into social.profile (user_id, screen_name, name, created_at) values (1, 'ann', 'Ann', '${at}')`,
  );
  await database.query("insert into social.screen_name (name_key, user_id) values ('ann', 1)");
  for (const [index, { text, origin, hashtags = [], repostOf }] of Object.values(cases).entries()) {
    await database.query(
      `insert into social.status
         (author_id, id, text, source, created_at, entities, origin, origin_id, repost_of_author_id, repost_of_id)
       values (1, $1, $2, 'web', '${at}', $3, $4, $5, $6, $7)`,
      [
        index + 1,
        text,
        JSON.stringify({ ...none, hashtags }),
        ...(origin ?? [null, null]),
        repostOf === undefined ? null : 1,
        repostOf ?? null,
      ],
    );
  }
  services = await startTestServices({}, database);
});
PlainTexts.after(() => services.stop());

PlainTexts("decodes what was imported from Twitter, once, and nothing that may have been typed", async () => {
  const { results } = await services.clients.social.socialTimelines({ screenName: "ann" });
  const shown = new Map(results.map(({ id, text }) => [Number(id), text]));
  for (const [index, [name, { becomes }]] of Object.entries(cases).entries())
    assert.is(shown.get(index + 1), becomes, name);
});

PlainTexts("moves the entities with their words", async () => {
  const { results } = await services.clients.social.socialTimelines({ screenName: "ann" });
  const words = results.flatMap(({ text, entities }) =>
    (entities?.hashtags ?? []).map(({ indices: [start, end] }) => [...text].slice(start, end).join("")),
  );
  assert.equal(words, ["#b", "#b"]);
  assert.equal(results.at(-1)?.entities?.urls, []);
});

PlainTexts.run();

const NameKeys = suite("name keys in a Turkish database");
/** The users of the last version's database, in which these names were different; oldest first. */
const older = ["IRIS", "iris", "Iris", "ILSE", "iLSE", "plain"];
const idOf = (screenName: string) => BigInt(1 + older.indexOf(screenName));

NameKeys.before(async () => {
  const database = await createTestDatabase("tr");
  await migrateTo(8, "social", database.social);
  await database.query(
    `with added as (
       insert into social.profile (user_id, screen_name, name, created_at)
       select place, name, name, now() from unnest($1::text[]) with ordinality as older (name, place) returning *
     )
     insert into social.screen_name (name_key, user_id) select lower(screen_name), user_id from added`,
    [older],
  );
  services = await startTestServices({}, database);
});
NameKeys.after(() => services.stop());

async function idsOf(...screenNames: string[]): Promise<bigint[]> {
  return (await services.clients.social.socialUsers({ screenNames })).results.map(({ id }) => id);
}

async function createProfile(userId: bigint, screenName: string): Promise<void> {
  const createdAt = timestampFromDate(new Date("2020-01-01"));
  await services.clients.profiles.createProfile({ userId, screenName, name: screenName, createdAt });
}

NameKeys("of existing users are computed again, and no profile is lost", async () => {
  for (const spelling of ["iris", "IRIS", "Iris"]) assert.equal(await idsOf(spelling), [idOf("iris")], spelling);
  for (const spelling of ["ilse", "ILSE", "iLSE"]) assert.equal(await idsOf(spelling), [idOf("ILSE")], spelling);
  assert.equal(await idsOf("PLAIN"), [idOf("plain")]);
  const { results } = await services.clients.social.socialUsers({ userIds: older.map(idOf) });
  assert.equal(valuesOf(results, "screenName"), older);
});

NameKeys("find a user and the user's timeline in every spelling", async () => {
  await createProfile(100n, "INGRID");
  const { status } = await services.clients.statuses.publishStatus({ authorId: 100n, text: "hello" });
  for (const screenName of ["ingrid", "Ingrid", "INGRID"]) {
    assert.equal(await idsOf(screenName), [100n], screenName);
    assert.equal(await timelineOf(services, { name: screenName }), [status?.id], screenName);
  }
});

NameKeys("find mentioned users", async () => {
  await createProfile(102n, "IDA");
  const { status } = await services.clients.statuses.publishStatus({ authorId: 102n, text: "to @ida and @IDA" });
  assert.equal(
    status?.entities?.userMentions.map(({ id }) => id),
    [102n, 102n],
  );
});

NameKeys("reserve a name against an import of another user, and are replaced for a renamed one", async () => {
  await createProfile(103n, "IVAN");
  const importAs = (userId: bigint, screenName: string) =>
    importProfiles(services, { userId, profile: { screenName } });
  assert.equal(await importAs(200n, "ivan"), ["its screen name belongs to another user"]);
  assert.equal(await importAs(201n, "ISOLDE"), ["ADDED"]);
  assert.equal(await idsOf("isolde"), [201n]);
  assert.equal(await importAs(201n, "IMOGEN"), ["UPDATED"]);
  assert.equal(await idsOf("imogen", "isolde"), [201n]);
});

NameKeys("go to the last user who is given the name, also when another one gets it concurrently", async () => {
  const name = "insert into social.screen_name (name_key, user_id) values ('iwan', 300)";
  await whileUncommitted(services.database.social, [[name]], async ({ waiting, commit }) => {
    const created = createProfile(301n, "IWAN");
    await waiting(1);
    await commit();
    await created;
  });
  assert.equal(await idsOf("iwan"), [301n]);
});

NameKeys.run();
