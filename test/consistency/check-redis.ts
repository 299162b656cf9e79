import { setTimeout as sleep } from "node:timers/promises";
import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { startTestRedis, type TestRedis } from "../support/redis.ts";
import { startWiredRedisCluster } from "../support/redis-cluster.ts";

/** How many gateways there are, and as many social services. */
const processes = 2;

/** The Redis of a check, which may fail, with wires to it, which may as well. */
export interface CheckRedis {
  /** REDIS_URL of each process. */
  urls: { gateways: string[]; writers: string[] };
  /** By which the gateways, and the social services, reach it. */
  wires: { gateways: FaultProxy[]; writers: FaultProxy[] };
  flush(): Promise<void>;
  /** Whether tokens are stored there, or the one of this subject. */
  holdsTokens(subjectKey?: string): Promise<boolean>;
  /** Stops it, or a part of it, for so many milliseconds. */
  pause(ms: number): Promise<void>;
  /** Ends it, or a part of it, as a crash would. */
  kill(): Promise<void>;
  /** Starts what was killed again, empty. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** One Redis, and a wire for each process; undefined where there is no redis-server. */
export async function oneRedis(): Promise<CheckRedis | undefined> {
  const redis = await startTestRedis();
  if (redis === undefined) return undefined;
  const some = () => Promise.all(Array.from({ length: processes }, () => startFaultProxy(redis.port)));
  const wires = { gateways: await some(), writers: await some() };
  const urlsOf = (proxies: FaultProxy[]) => proxies.map(urlOf);
  return {
    urls: { gateways: urlsOf(wires.gateways), writers: urlsOf(wires.writers) },
    wires,
    flush: async () => void (await redis.send("FLUSHALL")),
    holdsTokens: (subjectKey) => holdsTokens(redis, subjectKey),
    pause: (ms) => pause(redis, ms),
    kill: redis.kill,
    restart: redis.restart,
    async stop() {
      await Promise.all([...wires.gateways, ...wires.writers].map((wire) => wire.close()));
      await redis.stop();
    },
  };
}

/**
 * A Redis Cluster, and a wire for each of its masters, by which every process reaches it: a caller learns the nodes'
 * addresses from the nodes. So the writers are cut off together with the gateways, and one wire is one master's. What is
 * killed is a master, each time another.
 */
export async function redisCluster(): Promise<CheckRedis | undefined> {
  const cluster = await startWiredRedisCluster();
  if (cluster === undefined) return undefined;
  const { nodes, wires } = cluster;
  const urls = Array<string>(processes).fill(cluster.url);
  let turn = 0;
  const victim = () => nodes[turn % nodes.length] as TestRedis;
  return {
    urls: { gateways: urls, writers: urls },
    wires: { gateways: wires, writers: wires },
    flush: async () => void (await Promise.all(nodes.map((node) => node.send("FLUSHALL")))),
    holdsTokens: async (subjectKey) =>
      (await Promise.all(nodes.map((node) => holdsTokens(node, subjectKey)))).includes(true),
    pause: (ms) => pause(victim(), ms),
    kill: () => victim().kill(),
    async restart() {
      const node = victim();
      await node.restart();
      // A master that is back answers nothing but PING for two seconds: it would never be in use.
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

async function holdsTokens(redis: TestRedis, subjectKey = "*"): Promise<boolean> {
  return !(await redis.send(`KEYS ${freshnessKey(subjectKey)}`)).startsWith("*0");
}

function urlOf({ port }: FaultProxy): string {
  return `redis://127.0.0.1:${port}`;
}
