import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { startTestRedis, type TestRedis } from "../support/redis.ts";
import { startWiredRedisCluster } from "../support/redis-cluster.ts";

/** The number of gateways, and of social services. */
const processes = 2;

/** The Redis of a check, with proxies to it; both can be made to fail. */
export interface CheckRedis {
  /** REDIS_URL of each process. */
  urls: { gateways: string[]; writers: string[] };
  /** The proxies by which the gateways and the social services reach it. */
  proxies: { gateways: FaultProxy[]; writers: FaultProxy[] };
  flush(): Promise<void>;
  /** Pauses it, or one of its nodes, for so many milliseconds. */
  pause(ms: number): Promise<void>;
  /** Kills it, or one of its nodes. */
  kill(): Promise<void>;
  /** Restarts what was killed, empty. */
  restart(): Promise<void>;
  /** Saves what it holds, so that `restartAsSaved` may bring it back. Not of a Redis Cluster. */
  save?(): Promise<void>;
  /** Restarts what was killed with what it held when it was saved. */
  restartAsSaved?(): Promise<void>;
  stop(): Promise<void>;
}

/** What `save` writes, in the folder of its Redis. */
const savedFile = "saved.rdb";

/** One Redis, and a proxy for each process; undefined where there is no redis-server. */
export async function oneRedis(): Promise<CheckRedis | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "roost-redis-"));
  const redis = await startTestRedis(["--dir", folder, "--dbfilename", savedFile]);
  if (redis === undefined) return undefined;
  const some = () => Promise.all(Array.from({ length: processes }, () => startFaultProxy(redis.port)));
  const proxies = { gateways: await some(), writers: await some() };
  const urlsOf = (proxies: FaultProxy[]) => proxies.map(urlOf);
  return {
    urls: { gateways: urlsOf(proxies.gateways), writers: urlsOf(proxies.writers) },
    proxies,
    flush: async () => void (await redis.send("FLUSHALL")),
    pause: (ms) => pause(redis, ms),
    kill: redis.kill,
    async restart() {
      rmSync(join(folder, savedFile), { force: true });
      await redis.restart();
    },
    save: async () => void (await redis.send("SAVE")),
    restartAsSaved: redis.restart,
    async stop() {
      await Promise.all([...proxies.gateways, ...proxies.writers].map((proxy) => proxy.close()));
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A Redis Cluster, and a proxy for each of its masters, which all processes share: a client learns the nodes' addresses from the
 * nodes. So writers are cut off together with the gateways, and one proxy concerns one master. `kill` ends another master each time.
 */
export async function redisCluster(): Promise<CheckRedis | undefined> {
  const cluster = await startWiredRedisCluster();
  if (cluster === undefined) return undefined;
  const { nodes, proxies } = cluster;
  const urls = Array<string>(processes).fill(cluster.url);
  let turn = 0;
  const victim = () => nodes[turn % nodes.length] as TestRedis;
  return {
    urls: { gateways: urls, writers: urls },
    proxies: { gateways: proxies, writers: proxies },
    flush: async () => void (await Promise.all(nodes.map((node) => node.send("FLUSHALL")))),
    pause: (ms) => pause(victim(), ms),
    kill: () => victim().kill(),
    async restart() {
      const node = victim();
      await node.restart();
      // A restarted master answers only PING for two seconds; without waiting it would never be used.
      await eventually("the cluster's return", async () =>
        (await node.send("CLUSTER INFO")).includes("cluster_state:ok"),
      );
      turn++;
    },
    stop: cluster.stop,
  };
}

async function pause(redis: TestRedis, ms: number): Promise<void> {
  process.kill(redis.pid(), "SIGSTOP");
  await sleep(ms);
  process.kill(redis.pid(), "SIGCONT");
}

function urlOf({ port }: FaultProxy): string {
  return `redis://127.0.0.1:${port}`;
}
