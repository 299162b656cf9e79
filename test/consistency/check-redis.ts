import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Test } from "uvu";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { startTestRedis, startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { startWiredRedisCluster } from "../support/redis-cluster.ts";

/** The Redis of a check, with proxies to it; both can be made to fail. */
export interface CheckRedis {
  urls: string[];
  /** The proxies by which the gateways reach it. */
  proxies: FaultProxy[];
  flush(): Promise<void>;
  /** Pauses it, or one of its nodes, for so many milliseconds. */
  pause(ms: number): Promise<void>;
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

/** A suite's tests, which are skipped with a warning where there is no redis-server. */
export async function whereRedisIs(tests: Test): Promise<Test> {
  const probe = await startTestRedisFor("reads while Redis fails");
  await probe?.stop();
  return (probe ? tests : tests.skip) as Test;
}

function missing(): never {
  throw new Error("There is no redis-server on this machine");
}

/** One Redis, and a proxy for each of two gateways. */
export async function oneRedis(): Promise<CheckRedis> {
  const folder = mkdtempSync(join(tmpdir(), "roost-redis-"));
  const redis = (await startTestRedis(["--dir", folder, "--dbfilename", savedFile])) ?? missing();
  const proxies = [await startFaultProxy(redis.port), await startFaultProxy(redis.port)];
  return {
    urls: proxies.map(({ port }) => `redis://127.0.0.1:${port}`),
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
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A Redis Cluster, and a proxy for each of its masters, which both gateways share: a client learns the nodes' addresses from the
 * nodes. So one proxy concerns one master. `kill` ends another master each time.
 */
export async function redisCluster(): Promise<CheckRedis> {
  const cluster = (await startWiredRedisCluster()) ?? missing();
  const { nodes, proxies } = cluster;
  let turn = 0;
  const victim = () => nodes[turn % nodes.length] as TestRedis;
  return {
    urls: [cluster.url, cluster.url],
    proxies,
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
