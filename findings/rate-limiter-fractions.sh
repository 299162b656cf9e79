#!/bin/sh
# The guess: a limiter of rate-limiter-flexible takes a fraction of a second, as `duration` and for `block()`, on Redis as in memory; or refuses it.
# What happens: on Redis the fraction is cut off, without an error. A limit over 1.9 s is one over 1 s. Below one second it becomes 0, which is
# "never expires": a limit over half a second lets nobody in again, and a key that is blocked for 400 ms stays so until it is asked for, and
# then for a whole duration more. `block()` answers 400 ms all the same.
# Version and source: rate-limiter-flexible 11.4.0, ioredis 6.0.0, Redis 7.0.15. lib/RateLimiterRedis.js, `_upsert`: `Math.floor(msDuration / 1000)`,
# and no `EX` when that is 0. Its CONTEXT.md asks for a `duration` in seconds, "Must be >= 0", and the constructor checks just that. In memory and
# on Postgres the fraction counts.
# Why it matters here: our limiters count in milliseconds, and round up what they tell callers (services/platform/limits). Whoever takes this
# package for them has to round up as well, above all for a block of what another answer said: `block(key, msBeforeNext / 1000)`.
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
npm install --no-audit --no-fund --loglevel=error --prefix . "rate-limiter-flexible@11.4.0" "ioredis@6.0.0" >/dev/null
redis-server --port 0 --unixsocket "$folder/redis.sock" --save "" --dir "$folder" >log 2>&1 &
server=$!
cat >try.mjs <<'SCRIPT'
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";

const redis = new Redis({ path: process.argv[2], retryStrategy: () => 100 });
// Until the server is there.
redis.on("error", () => {});
console.log(`rate-limiter-flexible 11.4.0, Redis ${/redis_version:(\S+)/.exec(await redis.info("server"))[1]}`);

const consume = (limiter) =>
  limiter.consume("ann").then(
    () => "let in",
    () => "refused",
  );
const limits = {
  "1 in 0.5 s, again after 1.2 s": { duration: 0.5, wait: 1_200 },
  "1 in 1.9 s, again after 1.2 s": { duration: 1.9, wait: 1_200 },
  "blocked for 0.4 s, again after 1.2 s": { duration: 1, wait: 1_200, block: 0.4 },
};
const expected = [
  ["let in", "refused"],
  ["refused", "let in"],
  ["let in", "refused"],
];
const found = [];
for (const [name, { duration, wait, block }] of Object.entries(limits)) {
  const options = { points: 1, duration, keyPrefix: name };
  const results = [];
  for (const limiter of [new RateLimiterMemory(options), new RateLimiterRedis({ ...options, storeClient: redis })]) {
    const first = block === undefined ? await consume(limiter) : `${(await limiter.block("ann", block)).msBeforeNext} ms`;
    const left = limiter instanceof RateLimiterRedis ? `, ${await redis.pttl(limiter.getKey("ann"))} ms left by Redis` : "";
    await sleep(wait);
    results.push({ first, left, second: await consume(limiter) });
  }
  const [inMemory, onRedis] = results.map(({ first, left, second }) => `${first}${left}, then ${second}`);
  console.log(`${name}\n  in memory: ${inMemory}\n  on Redis:  ${onRedis}`);
  found.push(results.map(({ second }) => second));
}
redis.disconnect();
const asFound = JSON.stringify(found) === JSON.stringify(expected);
console.log(asFound ? "As found: on Redis fractions are cut off, and 0 is for ever." : "CHANGED: it no longer behaves so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs "$folder/redis.sock"
