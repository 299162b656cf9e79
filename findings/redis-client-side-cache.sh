#!/bin/sh
# The guess: with `clientSideCache` a client of Redis gives what it gives without, only sooner: "enables clients to cache query results locally".
# What happens: without an error,
# - bytes that are asked for as Buffers come as a Uint8Array, whose `toString()` lists numbers; so does the first reply, which is not cached;
# - binary keys that differ only in bytes that are no UTF-8 count as one, so a key gets the value of another;
# - after `select()` a key gets the value that it has in the database before.
# Version and source: redis 6.3.1, Redis 7.0.15. @redis/client, dist/lib/client/cache.js: `handleCache` gives a structuredClone of each reply, and
# `generateCacheKey` joins the arguments to a text, without the database. Its docs/client-side-caching.md tells to set a type mapping on the
# client, as here, so that such replies are cached.
# Why it matters here: gateways read pages as Buffers, mapped by call (services/platform/redis/connection.ts), which passes that cache by. Who
# turns it on for them has to map on the client, and would send lists of numbers as pages.
# Needs Node 20 or newer, npm with access to its registry, and redis-server (6 or newer) on PATH. Exit code 0 while the library behaves so.
set -eu

folder=$(mktemp -d)
server=
stop() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 1' INT TERM
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "redis@6.3.1" >/dev/null
redis-server --port 0 --unixsocket "$folder/redis.sock" --save "" --dir "$folder" >log 2>&1 &
server=$!
cat >try.mjs <<'SCRIPT'
import { createClient, RESP_TYPES } from "redis";

async function connect(options) {
  const socket = { path: process.argv[2], reconnectStrategy: () => 100 };
  // Until the server is there.
  return createClient({ socket, ...options }).on("error", () => {}).connect();
}
const asBuffers = { commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } };
const show = (reply) => `${reply?.constructor.name} ${JSON.stringify(`${reply}`)}`;
const cases = {
  async "a page as a Buffer"(redis) {
    await redis.set("page", "<p>");
    return [show(await redis.get("page")), show(await redis.get("page"))];
  },
  async "ids 128 and 129 as keys of eight bytes"(redis) {
    const [first, second] = [128n, 129n].map((id) => {
      const key = Buffer.alloc(8);
      key.writeBigUInt64BE(id);
      return key;
    });
    await redis.set(first, "ann");
    await redis.set(second, "bob");
    return [`${Buffer.from(await redis.get(first))}`, `${Buffer.from(await redis.get(second))}`];
  },
  async "databases 0 and 1"(redis) {
    await redis.select(1);
    await redis.set("name", "one");
    await redis.select(0);
    await redis.set("name", "zero");
    const zero = Buffer.from(await redis.get("name"));
    await redis.select(1);
    return [`${zero}`, `${Buffer.from(await redis.get("name"))}`];
  },
};
const expected = {
  "a page as a Buffer": [['Buffer "<p>"', 'Buffer "<p>"'], ['Uint8Array "60,112,62"', 'Uint8Array "60,112,62"']],
  "ids 128 and 129 as keys of eight bytes": [["ann", "bob"], ["ann", "ann"]],
  "databases 0 and 1": [["zero", "one"], ["zero", "zero"]],
};
let asFound = true;
for (const [name, run] of Object.entries(cases)) {
  const found = [];
  for (const options of [asBuffers, { ...asBuffers, clientSideCache: { ttl: 0, maxEntries: 0 } }]) {
    const redis = await connect(options);
    if (name === "a page as a Buffer" && found.length === 0) {
      console.log(`redis 6.3.1, Redis ${/redis_version:(\S+)/.exec(await redis.info("server"))[1]}`);
    }
    found.push(await run(redis));
    redis.destroy();
  }
  console.log(`${name}: ${found[0].join(", ")}; with clientSideCache: ${found[1].join(", ")}`);
  asFound &&= JSON.stringify(found) === JSON.stringify(expected[name]);
}
console.log(asFound ? "As found: the cache changes replies." : "CHANGED: it no longer behaves so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs "$folder/redis.sock"
