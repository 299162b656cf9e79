import { type ChildProcess, spawn } from "node:child_process";
import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { exitOf } from "../../services/local/child-process.ts";
import { memoryOnly } from "../../services/local/supervise-redis.ts";
import { freePort } from "./listen.ts";

/** A Redis of a test's own, in memory only. */
export type TestRedis = NonNullable<Awaited<ReturnType<typeof startTestRedis>>>;

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
export async function startTestRedis(options: readonly string[] = [], port?: number) {
  const at = port ?? (await freePort());
  let child = spawnRedis(at, options);
  if (!(await answers(child, at))) return undefined;
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exitOf(child);
  };
  return {
    port: at,
    url: `redis://127.0.0.1:${at}`,
    /** Its process id, or that of the last one while none runs. */
    pid: () => child.pid as number,
    /** Sends one command of plain words and waits for its reply. */
    send: (command: string) => send(at, command),
    kill: () => kill("SIGKILL"),
    /** Starts it again after a kill, empty, on the same port. */
    async restart(): Promise<void> {
      child = spawnRedis(at, options);
      if (!(await answers(child, at))) throw new Error("Redis did not come back");
    },
    stop: () => kill("SIGTERM"),
  };
}

function spawnRedis(port: number, options: readonly string[]): ChildProcess {
  const network = ["--port", `${port}`, "--bind", "127.0.0.1"];
  const settings = [...network, ...memoryOnly.flatMap(([name, value]) => [`--${name}`, value]), ...options];
  const child = spawn("redis-server", settings, { stdio: "ignore" });
  child.once("error", () => {});
  return child;
}

async function answers(child: ChildProcess, port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.pid === undefined || child.exitCode !== null) return false;
    if ((await send(port, "PING").catch(() => "")) !== "") return true;
    await sleep(50);
  }
  return false;
}

function send(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, "127.0.0.1", () => socket.write(`${command}\r\n`));
    socket.setTimeout(10_000, () => socket.destroy(new Error("Redis does not answer")));
    socket.once("error", reject);
    socket.once("data", (chunk: Buffer) => {
      resolve(chunk.toString());
      socket.destroy();
    });
  });
}
