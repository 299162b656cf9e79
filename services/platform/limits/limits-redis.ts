import { Redis } from "ioredis";
import type { Log } from "../log.ts";

/** The Redis of the limits, which may be away at any moment. */
export interface LimitsRedis {
  /** Runs a script on one key; undefined when Redis is away or late. Never rejects. */
  run(script: string, key: string, ...args: number[]): Promise<number | undefined>;
  close(): void;
}

/** Milliseconds for which a Redis that failed is left alone, so that not every caller waits for it. */
const pause = 1_000;

/**
 * Connects in the background, and again whenever the connection is lost.
 * @param patience milliseconds that a script may take
 */
export function connectLimitsRedis(url: string, log: Log, patience: number): LimitsRedis {
  const redis = new Redis(url, {
    connectionName: "roost-limits",
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: patience,
    socketTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
  });
  let awayUntil = 0;
  let isAway = false;
  const tell = (away: boolean, error?: unknown) => {
    if (away !== isAway)
      log[away ? "warn" : "info"](error ? { err: error } : {}, away ? "limits count alone" : "limits are shared");
    isAway = away;
  };
  // Without a listener an error would end the process.
  redis.on("error", (error) => tell(true, error));
  return {
    async run(script, key, ...args) {
      if (redis.status !== "ready" || performance.now() < awayUntil) return undefined;
      try {
        const result = Number(await redis.eval(script, 1, key, ...args));
        tell(false);
        return result;
      } catch (error) {
        awayUntil = performance.now() + pause;
        tell(true, error);
        return undefined;
      }
    },
    close: () => redis.disconnect(),
  };
}
