#!/bin/sh
# The guess: `redis.call("XREAD", …)` gives what `redis.xread(…)` gives, as Redis ignores the case of a command; and without `replyMapping`
# a reply has the same shape over RESP3, the new default of ioredis 6, as over RESP2.
# What happens: the replies to ZRANGE … WITHSCORES, XREAD and the like are brought into the old shape by the name as it was written, in
# lower case. With the name in capitals, as the manual of Redis writes it, scores come in pairs and XREAD loses a level, without an
# error. `protocol: 2` gives the old shape for both.
# Version and source: ioredis 6.0.0, Redis 7.0.15. Its README ("RESP3 Protocol") says of the default mapping: "Identical across both
# protocols"; built/Command.js looks up `_transformer.reply[this.name]`, and `checkFlag` beside it folds the case.
# Why it matters here: the rate limits use ioredis. They send scripts alone, whose replies are lists of numbers; a command that is added
# with `call` has to be written in lower case, or as a method.
# Needs Node 20 or newer, npm with access to its registry, and redis-server (6.2 or newer) on PATH. Exit code 0 while the library behaves so.
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
npm install --no-audit --no-fund --loglevel=error --prefix . "ioredis@6.0.0" >/dev/null
redis-server --port 0 --unixsocket "$folder/redis.sock" --save "" --dir "$folder" >log 2>&1 &
server=$!
cat >try.mjs <<'SCRIPT'
import { Redis } from "ioredis";

const commands = [
  ["zrange", "scores", "0", "-1", "WITHSCORES"],
  ["xread", "STREAMS", "news", "0"],
  ["hrandfield", "names", "1", "WITHVALUES"],
];

/** The replies to each command by its method, and by `call` in lower case and in capitals. */
async function replies(protocol) {
  const redis = new Redis({ path: process.argv[2], protocol, retryStrategy: () => 100 });
  // Until the server is there.
  redis.on("error", () => {});
  await redis.zadd("scores", 1, "ann", 2.5, "bob");
  await redis.hset("names", "ann", "Ann");
  if ((await redis.xlen("news")) === 0) await redis.xadd("news", "1-1", "text", "hello");
  if (protocol === 3) console.log(`ioredis 6.0.0, Redis ${/redis_version:(\S+)/.exec(await redis.info("server"))[1]}`);
  const found = [];
  for (const [name, ...args] of commands) {
    const all = [await redis[name](...args), await redis.call(name, ...args), await redis.call(name.toUpperCase(), ...args)];
    found.push(all.map((reply) => JSON.stringify(reply)));
  }
  redis.disconnect();
  return found;
}
const [over2, over3] = [await replies(2), await replies(3)];
commands.forEach(([name], i) => {
  const [method, lower, capitals] = over3[i];
  console.log(`${name}: ${over2[i][2]} in capitals over RESP2\n  over RESP3: method ${method}, lower case ${lower}, capitals ${capitals}`);
});
const asFound = over3.every(([method, lower, capitals], i) => {
  const isOld = (reply) => reply === over2[i][2];
  return over2[i].every(isOld) && isOld(method) && isOld(lower) && !isOld(capitals);
});
console.log(asFound ? "As found: in capitals the shape is another." : "CHANGED: it no longer behaves so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs "$folder/redis.sock"
