import type { EnvironmentReader } from "../environment.ts";

/** Settings of the Redis that gateways and services share. */
export interface RedisSettings {
  /**
   * One Redis, or nodes of a Redis Cluster, for freshness tokens and the gateways' pages. Without one, nothing is stored outside
   * the processes.
   */
  redisUrls: readonly string[];
  /** Milliseconds for which a token may be stored, their time to live (design §5). */
  freshnessMs: number;
  /** Milliseconds that Redis may take to answer before it counts as unavailable. */
  redisTimeoutMs: number;
}

/**
 * Reads REDIS_URL, FRESHNESS_MS and REDIS_TIMEOUT_MS.
 * @param use what the process uses that Redis for
 * @param waits what has to wait until tokens expire when Redis is unavailable; none for a process that only reads
 */
export function readRedisSettings(read: EnvironmentReader, use: string, waits?: string): RedisSettings {
  const wait =
    waits &&
    `. When Redis fails, ${waits} may wait 1.05 × (this + 6 polls of 50 to 250 ms): 1.4 s by default. The same as for the gateway`;
  const redisUrls = read.secretUrls("REDIS_URL", ["redis", "rediss"], use);
  if (redisUrls.length > 1 && redisUrls.some((url) => /[1-9]/.test(new URL(url).pathname))) {
    read.refuse("REDIS_URL must not name a database of a Redis Cluster: it has one");
  }
  return {
    redisUrls,
    // One second: counters that other users change show within it, and a write waits little longer when Redis is unavailable.
    freshnessMs: read.integer(
      "FRESHNESS_MS",
      1_000,
      50,
      60_000,
      `Milliseconds that a freshness token lives${wait ?? ""}.`,
    ),
    // A Redis nearby answers in less than 1 ms; without Redis the database would have answered within 50 ms.
    redisTimeoutMs: read.integer(
      "REDIS_TIMEOUT_MS",
      50,
      1,
      10_000,
      `Milliseconds that Redis may take to answer${waits ? "" : " (five times as many for pages)"}; a later answer is ignored.`,
    ),
  };
}
