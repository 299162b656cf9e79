import { Redis } from "ioredis";
import { type Log, logChanges } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";

/** The Redis of the limits, which may be unavailable at any moment. */
export interface LimitsRedis {
  /** Runs a script that returns a list of numbers; undefined when Redis is unavailable or late. Never rejects. */
  run: RunScript<Promise<number[] | undefined>>;
  /** Sends a script; undefined when Redis is not connected, or was late a moment ago. */
  send: RunScript<SentScript | undefined>;
  /** The same, also when Redis was late a moment ago: for what has to be done all the same. */
  sendAlways: RunScript<SentScript | undefined>;
  close(): void;
}

type RunScript<R> = (script: string, keys: readonly string[], args: readonly number[]) => R;

/** A script that was sent. Redis also runs one whose caller waits no longer. */
interface SentScript {
  /** What it returned; undefined when Redis is late or fails. Never rejects. */
  inTime: Promise<number[] | undefined>;
  /** The same, however late it is. */
  ever: Promise<number[] | undefined>;
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
  const sendAlways: LimitsRedis["send"] = (script, keys, args) => {
    if (redis.status !== "ready") return undefined;
    const sent = redis
      .eval(script, keys.length, ...keys, ...args)
      .then((results) => (results as unknown[]).map(Number));
    const inTime = withTimeout(timeoutMs, sent).then(
      (results) => {
        note(false);
        return results;
      },
      (error: Error) => {
        unavailableUntil = performance.now() + pauseMs;
        note(true, error);
        return undefined;
      },
    );
    return { inTime, ever: sent.catch(() => undefined) };
  };
  const send: LimitsRedis["send"] = (...script) =>
    performance.now() < unavailableUntil ? undefined : sendAlways(...script);
  return {
    run: async (...script) => send(...script)?.inTime,
    send,
    sendAlways,
    close: () => redis.disconnect(),
  };
}
