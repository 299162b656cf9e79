import { setTimeout as sleep } from "node:timers/promises";
import { createClient, RESP_TYPES } from "redis";
import type { Log } from "../log.ts";

/** The commands that we use, one key each or of keys that need not live together. */
export type RedisCommands = ReturnType<typeof newClient>;

/** A Redis that may be away at any moment. */
export interface RedisConnection {
  /** Whether a command is worth a try: false from a failure on until Redis has answered again. */
  isUsable(): boolean;
  /** Runs commands. @throws RedisAway at once when it is not usable, and when Redis fails or does not answer in time */
  run<T>(commands: (redis: RedisCommands) => Promise<T>): Promise<T>;
  close(): void;
}

/** Redis did not answer; nothing is known of what it did. */
export class RedisAway extends Error {
  override name = "RedisAway";
}

/**
 * Connects in the background, and again whenever the connection is lost. A Redis that fails once is left alone until it has
 * answered a PING, so that nobody waits for it in vain.
 * @param patience milliseconds that commands may take
 */
export function connectRedis(url: string, name: string, log: Log, patience: number): RedisConnection {
  const redis = newClient(url, name);
  let usable = false;
  let closed = false;
  // Without a listener an error event would end the process; the breaker has its own line for it.
  redis.on("error", (error: Error) => setUsable(false, error));
  redis.on("ready", () => void probe());
  redis.connect().catch(() => {});

  function setUsable(now: boolean, error?: Error): void {
    if (now !== usable && !closed) {
      log[now ? "info" : "warn"](error ? { err: error } : {}, now ? "Redis answers" : "Redis is away");
    }
    usable = now;
  }

  let probing = false;
  async function probe(): Promise<void> {
    if (probing) return;
    probing = true;
    while (!usable && !closed && redis.isOpen) {
      const answers = redis.isReady && (await inTime(redis.ping(), patience).catch(() => undefined)) !== undefined;
      if (answers) setUsable(true);
      else await sleep(probeInterval, undefined, { ref: false });
    }
    probing = false;
  }

  return {
    isUsable: () => usable,
    async run(commands) {
      if (!usable) throw new RedisAway("Redis is away");
      try {
        return await inTime(commands(redis), patience);
      } catch (error) {
        setUsable(false, error as Error);
        void probe();
        throw new RedisAway("Redis is away", { cause: error });
      }
    },
    close() {
      closed = true;
      usable = false;
      if (redis.isOpen) redis.destroy();
    },
  };
}

/** Milliseconds between two looks whether Redis is back. */
const probeInterval = 100;

function newClient(url: string, name: string) {
  return createClient({
    url,
    name,
    // A command for a Redis that is away fails at once instead of waiting for it.
    disableOfflineQueue: true,
    // A connection on which nothing comes back is given up: it would swallow every command written to it.
    pingInterval: 500,
    socket: {
      connectTimeout: 1_000,
      socketTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 1_000),
    },
  });
}

/** The same commands, whose replies are bytes. */
export function asBytes(redis: RedisCommands) {
  return redis.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
}

async function inTime<T>(work: Promise<T>, patience: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patience} ms`)), patience);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
