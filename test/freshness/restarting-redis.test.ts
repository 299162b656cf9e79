// A Redis that is restarted empty is another place for tokens. A write waits only for the tokens from before its own commit, however
// often that happens.
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { register } from "../support/people.ts";
import { startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Restarting = suite("a Redis that is killed and restarted repeatedly");
const redis = (await startTestRedisFor("a Redis that is restarted repeatedly")) as TestRedis;
const test = redis ? Restarting : Restarting.skip;

/** Milliseconds: longer than the interval of restarts. */
const freshnessMs = 3_000;
/** Milliseconds: a third more than the promised longest wait, and as much again for a busy machine. */
const deadlineMs = 3 * freshnessMs;
let system: TestSystem;
let author: bigint;

Restarting.before(async () => {
  if (!redis) return;
  system = await startTestSystem({ REDIS_URL: redis.url, FRESHNESS_MS: `${freshnessMs}`, SERVICE_TIMEOUT_MS: "60000" });
  author = await register(system, "ann");
});
Restarting.after(async () => {
  await system?.stop();
  await redis?.stop();
});

test("delays writes and reads no longer than a token lives", async () => {
  const over = new AbortController();
  const restarts = (async () => {
    while (!over.signal.aborted) {
      await redis.kill();
      await sleep(200);
      await redis.restart();
      await sleep(800);
    }
  })();
  try {
    // Until the processes have found the first Redis.
    await sleep(2_000);
    for (let round = 1; round <= 2; round++) {
      await within(`write ${round}`, system.clients.statuses.publishStatus({ authorId: author, text: `${round}` }));
      const reply = await within(`read ${round}`, fetch(`${system.url}/social/ann`));
      const { results } = (await reply.json()) as { results: { statuses_count: number }[] };
      assert.is(results[0]?.statuses_count, round);
    }
  } finally {
    over.abort();
    await restarts;
  }
});

Restarting.run();

function within<T>(what: string, work: Promise<T>): Promise<T> {
  const late = sleep(deadlineMs, undefined, { ref: false }).then(() => {
    throw new Error(`${what} took longer than ${deadlineMs} ms`);
  });
  return Promise.race([work, late]);
}
