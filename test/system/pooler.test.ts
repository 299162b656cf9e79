import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type NetConnectOpts } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { exitOf } from "../../services/local/child-process.ts";
import { createLog } from "../../services/platform/log.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { accepts } from "../deploy/start-proxy.ts";
import { eventually } from "../support/eventually.ts";
import { freePort, listen } from "../support/listen.ts";
import { password, register } from "../support/people.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import type { TestDatabase } from "../support/test-database.ts";

/** The id of the user and group `nobody`, which own nothing. */
const unprivileged = 65_534;

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
  const wrong = system.logged.filter(({ level }) => Number(level) >= 40);
  assert.equal(wrong, []);
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

type TestPgBouncer = NonNullable<Awaited<ReturnType<typeof startTestPgBouncer>>>;

/**
 * Starts the pgbouncer of this machine in transaction mode for a server of the tests; undefined where there is none. It has few sessions,
 * so that statements often change sessions.
 * @param direct the URL of a database on that server
 * @param sends is told what it sends there
 */
async function startTestPgBouncer(direct: string, sends: (text: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), "roost-bouncer-"));
  // Only its user can reach the server's socket, and PgBouncer never runs as root: it connects through a port of ours.
  const way = createServer((from) => {
    const to = createConnection(addressOf(new URL(direct)));
    from.on("data", (bytes) => sends(bytes.toString("latin1")));
    from.pipe(to).pipe(from);
    from.on("error", () => to.destroy());
    to.on("error", () => from.destroy());
  });
  const portOfWay = await listen(way);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, configuration(port, portOfWay, folder));
  writeFileSync(join(folder, "users"), '"account" ""\n"social" ""\n');
  chmodSync(folder, 0o755);
  const child = spawn("pgbouncer", [file], {
    stdio: "ignore",
    ...(process.getuid?.() === 0 && { uid: unprivileged, gid: unprivileged }),
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  });
  child.once("error", () => {});
  const stop = async () => {
    // Before Node reports that a program is missing, kill() would signal our own group of processes.
    if (child.pid !== undefined) child.kill("SIGTERM");
    await exitOf(child);
    way.close();
    rmSync(folder, { recursive: true, force: true });
  };
  if (child.pid === undefined) {
    await stop();
    return undefined;
  }
  await eventually("pgbouncer accepts connections", () => accepts(port));
  return {
    /** The URL of a database through this pooler, given its own URL. */
    url: (url: string) =>
      `postgres://${new URL(url).username}@127.0.0.1:${port}${new URL(url).pathname}?sslmode=disable`,
    stop,
  };
}

/** The server's socket, or its port if it has one. */
function addressOf({ searchParams, hostname, port }: URL): NetConnectOpts {
  const folder = searchParams.get("host");
  return folder === null ? { host: hostname, port: Number(port) } : { path: join(folder, ".s.PGSQL.5432") };
}

function configuration(port: number, server: number, folder: string): string {
  return `
[databases]
* = host=127.0.0.1 port=${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = 3
server_check_delay = 0
max_client_conn = 200
`;
}
