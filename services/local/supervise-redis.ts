import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { exitOf, watch } from "./child-process.ts";
import { freePort } from "./ports.ts";

/** Settings of a redis-server that stores nothing on disk, and does not load the dump.rdb that another one may have left in this folder. */
export const memoryOnly = [
  ["save", ""],
  ["appendonly", "no"],
  ["dbfilename", "unused.rdb"],
] as const;

/** A redis-server that stores nothing on disk. */
export interface SupervisedRedis {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the `redis-server` on the path, at a free port of loopback and with a password, and again whenever it ends.
 * @returns undefined if there is none, or if it does not start within 5 s
 */
export async function superviseRedis(say: (line: string) => void): Promise<SupervisedRedis | undefined> {
  const settings = { port: await freePort(), password: randomBytes(18).toString("base64url") };
  let stopping = false;
  let server = await start(settings);
  if (server === undefined) return undefined;
  const supervised = supervise();

  async function supervise(): Promise<void> {
    while (!stopping) {
      await exitOf(server as ChildProcess);
      if (stopping) return;
      say("redis-server ended and is started again");
      // Without it each process caches alone.
      while (!stopping && (server = await start(settings)) === undefined) await sleep(1_000);
    }
    // A stop was requested during the start.
    if (server !== undefined) await end(server);
  }

  return {
    url: `redis://:${settings.password}@127.0.0.1:${settings.port}`,
    async stop() {
      stopping = true;
      if (server !== undefined) await end(server);
      await supervised;
    },
  };
}

async function start({ port, password }: { port: number; password: string }): Promise<ChildProcess | undefined> {
  // Settings on standard input, since every user of the machine can read the arguments of a process.
  const server = spawn("redis-server", ["-"], { stdio: ["pipe", "pipe", "ignore"], detached: true });
  const failed = exitOf(server);
  if (server.pid !== undefined) {
    const watchdog = watch(server.pid);
    void failed.then(() => watchdog.stop());
  }
  server.stdin.on("error", () => {});
  server.stdin.end(`port ${port}
bind 127.0.0.1
requirepass ${password}
${memoryOnly.map(([name, value]) => `${name} "${value}"`).join("\n")}
hz 1
maxmemory 64mb
maxmemory-policy allkeys-lru
`);
  const ready = new Promise<boolean>((resolve) => {
    let output = "";
    server.stdout.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000);
      if (/ready to accept connections/i.test(output)) resolve(true);
    });
    void failed.then(() => resolve(false));
    setTimeout(resolve, 5_000, false).unref();
  });
  if (!(await ready)) {
    await end(server);
    return undefined;
  }
  return server;
}

/** At once: it stores nothing, and one that hangs would not end otherwise. */
async function end(server: ChildProcess): Promise<void> {
  // Until Node has told that there is no such program, its kill() signals a number from memory that nothing has set: 0, which is our own
  // process group, or any other.
  if (server.pid === undefined) return;
  server.kill("SIGKILL");
  await exitOf(server);
}
