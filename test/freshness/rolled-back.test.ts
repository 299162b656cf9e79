// A database that is restored to an earlier state uses versions again, while services and gateways run.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import * as assert from "uvu/assert";
import { type Postgres, startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { eventually } from "../support/eventually.ts";
import { launch } from "../support/launch.ts";
import { register } from "../support/people.ts";
import { createDatabaseOn } from "../support/postgres.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import type { TestDatabase } from "../support/test-database.ts";

const RolledBack = suite("a database that was restored to an earlier state");
const home = makeDataFolder("roost-rolled-back-");
const [data, copy] = [join(home, "postgres", "data"), join(home, "copy")];
const redis = await startTestRedisFor("a restored database, with Redis");
const settings = { REDIS_TIMEOUT_MS: "5000", ...(redis && { REDIS_URL: redis.url }) };
let postgres: Postgres;
let database: TestDatabase;
let system: TestSystem;
let ann: bigint;

const start = async () => void (postgres = await startPostgres({ home, durable: false }));

RolledBack.before(async () => {
  await start();
  database = await createDatabaseOn({ url: postgres.url, stop: async () => {} });
  system = await startTestSystem(settings, { ...database, drop: async () => {} });
  ann = await register(system, "ann");
  await publish("first");
});
RolledBack.after(async () => {
  await system.stop();
  await postgres.stop();
  await redis?.stop();
  rmSync(home, { recursive: true, force: true });
});

async function publish(text: string): Promise<void> {
  await system.clients.statuses.publishStatus({ authorId: ann, text });
}

/** The newest status of ann: in her timeline, in a long timeline for a client that accepts compression, and in a lookup. */
async function newest(url: string): Promise<string[]> {
  const texts: string[] = [];
  for (const path of ["/social/ann/timelines?take=1", "/social/ann/timelines", "/social/ann"]) {
    const reply = await fetch(url + path);
    const text = await reply.text();
    assert.is(reply.status, 200, text);
    const { results } = JSON.parse(text) as { results: { text?: string; status?: { text: string } }[] };
    texts.push(results[0]?.text ?? results[0]?.status?.text ?? "");
  }
  return texts;
}

/** Whether a call is not refused. */
function isDone(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}

async function version(): Promise<unknown> {
  return (await database.query("select content_version from social.profile"))[0]?.content_version;
}

/**
 * Publishes a status that `rollBack` loses, and then another one under the same version, which readers must see, also at a gateway
 * that finds the pages in Redis only. Two reads each, so that the page is stored.
 */
async function check(rollBack: () => Promise<void>): Promise<void> {
  await publish("lost");
  for (let round = 0; round < 3; round++) assert.equal(await newest(system.url), ["lost", "lost", "lost"]);
  const lost = await version();
  await rollBack();
  await eventually("the database", () => isDone(publish("kept")));
  assert.is(await version(), lost, "the version was not used again, so the test shows nothing");
  const env = { ...settings, ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl };
  const other = await launch("gateway", env, system);
  try {
    for (const url of [system.url, other.url]) {
      for (let round = 0; round < 3; round++) assert.equal(await newest(url), ["kept", "kept", "kept"]);
    }
  } finally {
    await other.close();
  }
}

RolledBack("shows no lost statuses when its data folder is an earlier copy", async () => {
  await postgres.stop();
  execFileSync("cp", ["-a", data, copy]);
  await start();
  await eventually("the database", () => isDone(newest(system.url)));
  await check(async () => {
    await postgres.stop();
    rmSync(data, { recursive: true });
    execFileSync("cp", ["-a", copy, data]);
    await start();
  });
});

/** Dumps all rows of these tables; the returned function restores them. */
async function dump(tables: readonly string[]): Promise<() => Promise<void>> {
  const inserts = await Promise.all(
    tables.map(async (table) => {
      const [row] = await database.query(
        `select coalesce(json_agg(row), '[]')::text as rows from social.${table} as row`,
      );
      return `insert into social.${table}
              select * from json_populate_recordset(null::social.${table}, ${pg.escapeLiteral(row?.rows as string)})`;
    }),
  );
  const names = tables.map((table) => `social.${table}`).join(", ");
  // In one transaction, since the account service may deliver ann's registration again, which adds her profile when it is missing.
  return async () => void (await database.query([`truncate ${names} cascade`, ...inserts].join(";")));
}

// Names first, as a registration that is delivered meanwhile locks them, so that neither waits for the other.
const written = ["screen_name", "profile", "status", "request"];

RolledBack("shows no lost statuses when all rows were restored, with the epoch's", async () => {
  await check(await dump([...written, "epoch"]));
});

RolledBack("shows no lost statuses when some tables were restored and the epoch was renewed", async () => {
  const restore = await dump(written);
  await check(async () => {
    await restore();
    await database.query("select social.renew_epoch()");
  });
});

RolledBack("has another epoch after a crash of one of its processes, which may lose commits", async () => {
  const epoch = async () => {
    const { versions } = await system.clients.versions.listVersions({ screenNames: ["ann"] });
    return versions[0]?.split(".").at(-1);
  };
  const before = await epoch();
  assert.is(await epoch(), before);
  // So that nothing is lost and the versions stay the same.
  await database.query("checkpoint");
  const [backend] = await database.query("select pid from pg_stat_activity where backend_type = 'walwriter'");
  process.kill(backend?.pid as number, "SIGKILL");
  await eventually("another epoch", async () => ![undefined, before].includes(await epoch().catch(() => undefined)));
});

RolledBack.run();
