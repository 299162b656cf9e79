import { createClient } from "redis";
import { freePort } from "../../services/local/free-port.ts";
import { killAtExit } from "./kill-at-exit.ts";
import { startRedisServer } from "./redis-server.ts";

/** The Redis of a run. */
export interface BenchRedis {
  url: string;
  /** Whether it was started for this run, so that everything in it may be deleted. */
  isOurs: boolean;
  /** Sends one command, one argument a word; resolves with the text of its reply. */
  send(...words: string[]): Promise<string>;
  /** The memory that it uses now, in MB. */
  usedMegabytes(): Promise<number>;
  /** How many commands it has run so far, without the INFO of these calls. */
  commandsRun(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * The Redis of REDIS_URL, otherwise `redis-server` from the path on a free port, in memory only; undefined when there is neither.
 * @param options further arguments of a redis-server that is started
 */
export async function startRedis(options: readonly string[] = []): Promise<BenchRedis | undefined> {
  const given = process.env.REDIS_URL;
  const server = given ? undefined : await startRedisServer(await freePort(), options);
  killAtExit(() => server?.kill());
  const url = given || server?.url;
  if (url === undefined) return undefined;
  const client = await createClient({ url })
    // The command that fails reports it.
    .on("error", () => {})
    .connect();
  const send = (...words: string[]) => client.sendCommand<string>(words);
  return {
    url,
    isOurs: server !== undefined,
    send,
    usedMegabytes: async () => Number(/^used_memory:(\d+)/m.exec(await send("INFO", "memory"))?.[1]) / 2 ** 20,
    async commandsRun() {
      const calls = (await send("INFO", "commandstats")).matchAll(/^cmdstat_(?!info:)\S+:calls=(\d+)/gm);
      return [...calls].reduce((sum, [, count]) => sum + Number(count), 0);
    },
    async stop() {
      client.destroy();
      await server?.stop();
    },
  };
}
