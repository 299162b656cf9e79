import { type RedisServer, startRedisServer } from "../../bench/system/redis-server.ts";
import { freePort } from "./free-port.ts";

/** A Redis of a test's own, in memory only. */
export type TestRedis = RedisServer;

/** Starts the redis-server of this machine. Without one it prints what is not tested, and resolves to undefined. */
export async function startTestRedisFor(what: string): Promise<TestRedis | undefined> {
  const redis = await startTestRedis();
  if (redis === undefined) console.warn(`\n!!! SKIPPED, no redis-server on this machine: ${what} !!!\n`);
  return redis;
}

/**
 * Starts the redis-server of this machine; undefined where there is none.
 * @param options further arguments
 * @param port the port to listen on; a free one when left out
 */
export async function startTestRedis(options?: readonly string[], port?: number): Promise<TestRedis | undefined> {
  return startRedisServer(port ?? (await freePort()), options);
}
