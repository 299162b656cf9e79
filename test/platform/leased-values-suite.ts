import type { Test } from "uvu";
import { createLog } from "../../services/platform/log.ts";
import { connectRedis, type RedisConnection } from "../../services/platform/redis/connection.ts";
import { createLeasedValues, type LeasedValues } from "../../services/platform/redis/leased-values.ts";
import { eventually } from "../support/eventually.ts";
import { startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { suite } from "../support/suite.ts";

/** Tests of leased values in a Redis of their own. */
export interface LeasedValuesSuite {
  /** Adds a test; without a redis-server on the path it is skipped. */
  test: Test | Test["skip"];
  /** For tests that run. */
  redis: TestRedis;
  /** Those in that Redis, for tests that run. */
  values: LeasedValues;
  /** To be called when all tests are added. */
  run(): void;
}

export async function leasedValuesSuite(name: string): Promise<LeasedValuesSuite> {
  const tests = suite(name);
  const redis = await startTestRedisFor(name);
  const connection = redis && connectRedis([redis.url], "test", createLog("test", "silent"), 5_000);
  tests.before(() => eventually("Redis", async () => connection === undefined || connection.isUsable()));
  tests.after(async () => {
    connection?.close();
    await redis?.stop();
  });
  return {
    test: redis ? tests : tests.skip,
    redis: redis as TestRedis,
    values: createLeasedValues(connection as RedisConnection),
    run: tests.run,
  };
}
