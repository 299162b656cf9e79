import { setTimeout as sleep } from "node:timers/promises";
import { RESP_TYPES } from "redis";
import type { Log } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";
import { createRedisClient, type KeyGroup, type RedisClient, type RedisCommands } from "./client.ts";

/** A Redis that may be unavailable at any moment. */
export interface RedisConnection {
  /** Whether a command is worth a try: false from a failure on until Redis has answered again. */
  isUsable(): boolean;
  /** Reads keys, wherever they are. @throws RedisUnavailable, as `run` does */
  readAll(keys: readonly string[]): Promise<(string | null)[]>;
  /** Runs a script on groups of keys, as RedisClient has it. @throws RedisUnavailable, as `run` does */
  evalAll(script: string, groups: readonly KeyGroup[]): Promise<unknown[]>;
  /**
   * Runs commands for which no caller waits: one that fails or is late says nothing of the others.
   * @throws RedisUnavailable at once when it is not usable, Error after a second
   */
  background<T>(work: (redis: RedisClient) => Promise<T>): Promise<T>;
  /**
   * Which of the connections that this one has had is in use. Another number may be another server; while it stays the same,
   * so does the server. Of a Redis Cluster any node's new connection counts.
   */
  number(): number;
  /** Runs commands. @throws RedisUnavailable at once when it is not usable, and when Redis fails or does not answer in time */
  run<T>(commands: (redis: RedisCommands) => Promise<T>): Promise<T>;
  close(): void;
}

/** Redis did not answer; nothing is known of what it did. */
export class RedisUnavailable extends Error {
  override name = "RedisUnavailable";
}

/**
 * Connects in the background, and again whenever the connection is lost. A Redis that failed once is not asked until it
 * has answered a PING, so that no request waits for it in vain. Of a Redis Cluster all masters must answer: it is used whole or not at all.
 * @param urls of one Redis, or of some nodes of a Redis Cluster
 * @param timeoutMs milliseconds that commands may take
 */
export function connectRedis(urls: readonly string[], name: string, log: Log, timeoutMs: number): RedisConnection {
  /** Undefined until the first answer, or the first failure, has been told. */
  let usable: boolean | undefined;
  let closed = false;
  let probing = false;
  let number = 0;
  let redis = connect();

  function connect(): RedisClient {
    const client = createRedisClient(urls, name, {
      onError: (error) => {
        setUsable(false, error);
        void probe();
      },
      onReady() {
        number++;
        void probe();
      },
    });
    void client.connect().catch(() => {});
    return client;
  }

  function setUsable(now: boolean, error?: Error): void {
    if (now !== usable && !closed) {
      log[now ? "info" : "warn"](error ? { err: error } : {}, now ? "Redis answers" : "Redis is unavailable");
    }
    usable = now;
  }

  async function probe(isFirst = true): Promise<void> {
    if (probing) return;
    probing = true;
    // A Redis that has just failed is not used at once: it may answer a PING and fail at everything else.
    if (!isFirst) await sleep(probeInterval, undefined, { ref: false });
    let silentSince = performance.now();
    for (let attempt = 1; !usable && !closed; attempt++) {
      const failure = await withTimeout(timeoutMs, redis.ping()).then(
        () => undefined,
        (error: Error) => error,
      );
      if (closed) break;
      if (failure === undefined) {
        setUsable(true);
        break;
      }
      // The first one may be late by the connecting alone.
      if (attempt > 1) setUsable(false, failure);
      await sleep(probeInterval, undefined, { ref: false });
      // One Redis is tried again by the library; a cluster of which no node answered is not. Also the other side may have
      // forgotten the connection; then the network would go on trying for a quarter of an hour.
      if (closed || (redis.isOpen() && performance.now() - silentSince < longestSilence)) continue;
      silentSince = performance.now();
      redis.destroy();
      redis = connect();
    }
    probing = false;
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    if (!usable) throw new RedisUnavailable("Redis is unavailable");
    try {
      return await withTimeout(timeoutMs, work());
    } catch (error) {
      setUsable(false, error as Error);
      void probe(false);
      throw new RedisUnavailable("Redis is unavailable", { cause: error });
    }
  }

  void probe();
  return {
    isUsable: () => usable === true,
    readAll: (keys) => attempt(() => redis.readAll(keys)),
    evalAll: (script, groups) => attempt(() => redis.evalAll(script, groups)),
    async background(work) {
      if (!usable) throw new RedisUnavailable("Redis is unavailable");
      return withTimeout(backgroundTimeoutMs, work(redis));
    },
    number: () => number,
    run: (commands) => attempt(() => commands(redis.commands)),
    close() {
      closed = true;
      usable = false;
      redis.destroy();
    },
  };
}

/** Milliseconds without an answer after which a connection is replaced. */
const longestSilence = 1_500;

/** Milliseconds: a process that is busy for a moment is not a Redis that is unavailable. */
const backgroundTimeoutMs = 1_000;

/** Milliseconds between two looks whether Redis is back. */
const probeInterval = 100;

/** The same commands, whose replies are bytes. */
export function asBytes(redis: RedisCommands) {
  return redis.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
}
