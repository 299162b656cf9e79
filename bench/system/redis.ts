import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { endWithUs } from "./end-with-us.ts";
import { freePort } from "./free-port.ts";
import { connectRedis, type RedisConnection } from "./redis-connection.ts";

/** The Redis of a run. */
export interface BenchRedis {
  url: string;
  connection: RedisConnection;
  /** Whether it was started for this run, so that everything in it may be deleted. */
  isOurs: boolean;
  stop(): Promise<void>;
}

/** The Redis of REDIS_URL, else `redis-server` from the path on a free port, in memory only; undefined when there is neither. */
export async function startRedis(): Promise<BenchRedis | undefined> {
  const given = process.env.REDIS_URL;
  if (given) {
    const connection = await connectRedis(given);
    return { url: given, connection, isOurs: false, stop: async () => connection.close() };
  }
  const port = await freePort();
  const child = spawn(
    "redis-server",
    ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    {
      stdio: "ignore",
    },
  );
  endWithUs(child);
  const url = `redis://127.0.0.1:${port}`;
  const connection = await patiently(child, url);
  if (connection === undefined) return undefined;
  return { url, connection, isOurs: true, stop: () => stop(child, connection) };
}

async function patiently(child: ChildProcess, url: string): Promise<RedisConnection | undefined> {
  let isGone = false;
  child.once("error", () => (isGone = true));
  child.once("exit", () => (isGone = true));
  for (let attempt = 0; attempt < 100; attempt++) {
    await sleep(50);
    if (isGone) return undefined;
    const connection = await connectRedis(url).catch(() => undefined);
    if (connection !== undefined) return connection;
  }
  child.kill();
  return undefined;
}

async function stop(child: ChildProcess, connection: RedisConnection): Promise<void> {
  connection.close();
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await gone;
}

/** How many commands a Redis has run so far; 0 without a Redis. */
export async function commandsOf(redis: BenchRedis | undefined): Promise<number> {
  return redis === undefined ? 0 : redis.connection.commandsRun();
}
