import type { EnvironmentReader } from "../environment.ts";

/** Settings of the Redis in which gateways share pages. */
export type RedisSettings = ReturnType<typeof readRedisSettings>;

/** Reads REDIS_URL and REDIS_TIMEOUT_MS. @param use what the process uses that Redis for */
export function readRedisSettings(read: EnvironmentReader, use: string) {
  const redisUrls = read.secretUrls("REDIS_URL", ["redis", "rediss"], use);
  if (redisUrls.length > 1 && redisUrls.some((url) => /[1-9]/.test(new URL(url).pathname))) {
    read.refuse("REDIS_URL must not name a database of a Redis Cluster: it has one");
  }
  return { redisUrls, redisTimeoutMs: readRedisTimeout(read, " (five times as many for pages)") };
}

/** Settings of the Redis in which processes of a service count limits together. */
export type LimitsRedisSettings = ReturnType<typeof readLimitsRedis>;

/** Reads RATE_LIMIT_REDIS_URL and REDIS_TIMEOUT_MS. @param service the name of the service, for the description */
export function readLimitsRedis(read: EnvironmentReader, service: string) {
  const meaning = `The Redis in which all ${service} services count these together. Without it, or while it is unavailable, each counts alone.`;
  const redisUrl = read.secretUrl("RATE_LIMIT_REDIS_URL", ["redis", "rediss"], meaning);
  return { redisUrl, redisTimeoutMs: readRedisTimeout(read) };
}

/** Reads REDIS_TIMEOUT_MS: by default 50, since a Redis nearby answers in less than 1 ms. */
function readRedisTimeout(read: EnvironmentReader, more = ""): number {
  return read.integer(
    "REDIS_TIMEOUT_MS",
    50,
    1,
    10_000,
    `Milliseconds that Redis may take to answer${more}; a later answer is ignored.`,
  );
}
