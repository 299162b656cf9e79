import { setTimeout as sleep } from "node:timers/promises";
import { RESP_TYPES } from "redis";
import { type Log, logChanges } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";
import { connectTimeoutMs, createRedisClient, type RedisClient, type RedisCommands } from "./client.ts";

/** A Redis that may be unavailable at any moment. */
export interface RedisConnection {
  /** Whether a command may succeed: false after a failure until Redis has answered again. */
  isUsable(): boolean;
  /**
   * Runs commands that may be late or fail: that does not make the connection unusable, unless it leads to a replica.
   * @throws RedisUnavailable at once when it is not usable, Error after a second
   */
  background<T>(commands: (redis: RedisCommands) => Promise<T>): Promise<T>;
  /** Runs commands. @throws RedisUnavailable at once when it is not usable, and when Redis fails or does not answer in time */
  run<T>(commands: (redis: RedisCommands) => Promise<T>): Promise<T>;
  close(): void;
}

/** Redis did not answer; whether it ran the command is unknown. */
export class RedisUnavailable extends Error {
  override name = "RedisUnavailable";
}

/**
 * Connects in the background, and again whenever the connection is lost. After a failure Redis is not asked until it has answered
 * a PING, so that no request waits in vain. In a Redis Cluster all masters must answer.
 * @param urls of one Redis, or of some nodes of a Redis Cluster
 * @param timeoutMs milliseconds that commands may take
 */
export function connectRedis(urls: readonly string[], name: string, log: Log, timeoutMs: number): RedisConnection {
  const redis = createMonitoredClient(urls, name, log, timeoutMs);

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    if (!redis.isUsable()) throw new RedisUnavailable("Redis is unavailable");
    try {
      return await withTimeout(timeoutMs, work());
    } catch (error) {
      redis.fail(error as Error);
      throw new RedisUnavailable("Redis is unavailable", { cause: error });
    }
  }

  return {
    isUsable: redis.isUsable,
    async background(commands) {
      if (!redis.isUsable()) throw new RedisUnavailable("Redis is unavailable");
      try {
        return await withTimeout(backgroundTimeoutMs, commands(redis.client().commands));
      } catch (error) {
        if (isOfReplica(error as Error)) redis.fail(error as Error);
        throw error;
      }
    },
    run: (commands) => attempt(() => commands(redis.client().commands)),
    close: redis.close,
  };
}

/** A client that is replaced when it does not answer, and the state of its server. */
interface MonitoredClient extends Pick<RedisConnection, "isUsable" | "close"> {
  client(): RedisClient;
  /** A command has failed: the client is unusable until a PING succeeds. */
  fail(error: Error): void;
}

function createMonitoredClient(urls: readonly string[], name: string, log: Log, timeoutMs: number): MonitoredClient {
  /** Undefined until the first answer or failure. */
  let usable: boolean | undefined;
  let closed = false;
  let probing = false;
  const noteUsable = logChanges();
  let connectedAt: number;
  let redis = connect();

  function connect(): RedisClient {
    connectedAt = performance.now();
    const client = createRedisClient(urls, name, {
      onError(error) {
        setUsable(false, error);
        void probe();
      },
      onReady: () => void probe(),
    });
    void client.connect().catch(() => {});
    return client;
  }

  function replace(): void {
    redis.destroy();
    redis = connect();
  }

  function setUsable(now: boolean, error?: Error): void {
    noteUsable(now, () => {
      if (!closed)
        log[now ? "info" : "warn"](error ? { err: error } : {}, now ? "Redis answers" : "Redis is unavailable");
    });
    usable = now;
  }

  async function probe(isFirst = true): Promise<void> {
    if (probing) return;
    probing = true;
    // A Redis that has just failed is not used at once: it may answer a PING and still fail at everything else.
    if (!isFirst) await sleep(probeInterval, undefined, { ref: false });
    const begun = performance.now();
    let silentSince = begun;
    let replaced = 0;
    while (!usable && !closed) {
      const failure = await withTimeout(timeoutMs, redis.ping()).then(
        () => undefined,
        (error: Error) => error,
      );
      if (closed) break;
      if (failure === undefined) {
        setUsable(true);
        break;
      }
      // While it connects, this says less than an error of the connection will.
      if (performance.now() - begun > connectTimeoutMs) setUsable(false, failure);
      await sleep(probeInterval, undefined, { ref: false });
      // The library tries one Redis again, but not a cluster of which no node answered. Also, the other side may have forgotten
      // the connection; TCP would go on trying for a quarter of an hour.
      const waitMs = redis.isOpen() ? maxSilenceMs : Math.min(probeInterval * 2 ** replaced, maxSilenceMs);
      if (closed || performance.now() - silentSince < waitMs) continue;
      silentSince = performance.now();
      replaced++;
      replace();
    }
    probing = false;
  }

  void probe();
  return {
    client: () => redis,
    isUsable: () => usable === true,
    fail(error) {
      setUsable(false, error);
      if (!closed && isOfReplica(error) && performance.now() - connectedAt > maxSilenceMs) replace();
      void probe(false);
    },
    close() {
      closed = true;
      usable = false;
      redis.destroy();
    },
  };
}

/**
 * Whether the server is a replica by now. It keeps its connections and answers each PING, though its address may lead to the
 * server that was promoted.
 */
function isOfReplica({ message }: Error): boolean {
  return message.includes("READONLY");
}

/** Milliseconds without an answer after which a connection is replaced; one to a replica is not replaced sooner either. */
const maxSilenceMs = 1_500;

/** Milliseconds: a process that is busy for a moment is not a Redis that is unavailable. */
const backgroundTimeoutMs = 1_000;

/** Milliseconds between two attempts to reach Redis. */
const probeInterval = 100;

/** The same commands with replies as bytes. */
export function asBytes(redis: RedisCommands) {
  return redis.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
}
