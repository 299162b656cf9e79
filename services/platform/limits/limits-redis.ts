import { Redis } from "ioredis";
import type { Log } from "../log.ts";
import { logChanges } from "../log-changes.ts";

/** The Redis of the limits, which may be unavailable at any moment. */
export interface LimitsRedis {
  /** Runs a script that returns a list of numbers; undefined when Redis is unavailable or late. Never rejects. */
  run(script: string, keys: readonly string[], args: readonly number[]): Promise<number[] | undefined>;
  close(): void;
}

/** Milliseconds for which a Redis that failed is not asked, so that not every caller waits for it. */
const pauseMs = 1_000;

/**
 * Connects in the background, and again whenever the connection is lost.
 * @param timeoutMs milliseconds that a script may take
 */
export function connectLimitsRedis(url: string, log: Log, timeoutMs: number): LimitsRedis {
  const redis = new Redis(url, {
    connectionName: "roost-limits",
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: timeoutMs,
    socketTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
    // A primary that became a replica keeps its connections, though its address may lead to the server that was promoted.
    reconnectOnError: ({ message }) => message.includes("READONLY"),
  });
  let unavailableUntil = 0;
  const noteUnavailable = logChanges(false);
  const note = (now: boolean, error?: Error) =>
    noteUnavailable(now, () =>
      log[now ? "warn" : "info"](
        error ? { err: error } : {},
        now ? "this process counts limits alone, without Redis" : "limits are counted in Redis",
      ),
    );
  // Without a listener an error would end the process.
  redis.on("error", (error: Error & { command?: { name: string } }) => {
    note(true, error);
    // If it cannot select the database of its URL, the library would continue in database 0.
    if (error.command?.name === "select") redis.disconnect(true);
  });
  return {
    async run(script, keys, args) {
      if (redis.status !== "ready" || performance.now() < unavailableUntil) return undefined;
      try {
        const results = (await redis.eval(script, keys.length, ...keys, ...args)) as unknown[];
        note(false);
        return results.map(Number);
      } catch (error) {
        unavailableUntil = performance.now() + pauseMs;
        note(true, error as Error);
        return undefined;
      }
    },
    close: () => redis.disconnect(),
  };
}
