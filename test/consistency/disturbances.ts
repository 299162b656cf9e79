import { setTimeout as sleep } from "node:timers/promises";
import type { FaultProxy } from "../support/fault-proxy.ts";
import { pick } from "../support/pick.ts";
import type { Cluster } from "./cluster.ts";
import type { CheckedProcess } from "./processes.ts";

/** A kind of failure of Redis, processes or servers while readers and writers continue. */
export interface Disturbance {
  name: string;
  /** Its share of all reads, relative to the other disturbances' shares. */
  share: number;
  /** Whether processes end, so that requests to them may have no reply. */
  endsProcesses: boolean;
  /** Runs until the signal; nothing is disturbed any more when it has resolved. */
  disturb(cluster: Cluster, over: AbortSignal): Promise<void>;
}

type Step = (cluster: Cluster, over: AbortSignal) => Promise<void>;

/** All failures of Redis under which design §5 promises no stale reads. */
export const redisDisturbances: readonly Disturbance[] = [
  toRedis("nothing", 1, () => sleep(50)),
  toRedis("Redis flushed at random", 2, async ({ redis }) => {
    await redis.flush();
    await sleep(Math.random() * 60);
  }),
  toRedis("Redis cut off from one gateway", 1, ({ redis }) => cut([pick(redis.proxies)])),
  toRedis("Redis cut off from the gateways", 1, ({ redis }) => cut(redis.proxies)),
  toRedis("Redis paused", 1, async ({ redis }) => {
    await redis.pause(10 + Math.random() * 600);
    await sleep(Math.random() * 500);
  }),
  toRedis("Redis killed and restarted", 1, async ({ redis }) => {
    await redis.kill();
    await sleep(Math.random() * 300);
    await redis.restart();
    await sleep(300 + Math.random() * 500);
  }),
  toRedis("Redis killed and restarted with what it held before", 2, async ({ redis }) => {
    await redis.save?.();
    await sleep(Math.random() * 200);
    await redis.kill();
    await (redis.restartAsSaved ?? redis.restart)();
    await sleep(500 + Math.random() * 500);
  }),
];

export const processDisturbances: readonly Disturbance[] = [
  toProcesses("a social service killed and restarted", 1, ({ socials }) => restart(socials)),
  toProcesses("an account service killed and restarted", 1, ({ accounts }) => restart(accounts)),
  toProcesses("a gateway killed and restarted", 1, ({ gateways }) => restart(gateways)),
  toProcesses("processes paused", 1, ({ socials, accounts, gateways }) =>
    pause([...socials, ...accounts, ...gateways]),
  ),
  toProcesses("processes and Redis at once", 2, ({ socials, accounts, gateways, redis }) => {
    const processes = [...socials, ...accounts, ...gateways];
    return pick([() => restart(processes), () => pause(processes), () => redis.flush(), () => cut(redis.proxies)])();
  }),
];

/** Failures of the one Postgres. Processes notice by a failure that their connections are closed. */
export const postgresDisturbances: readonly Disturbance[] = [
  toProcesses("Postgres killed and restarted", 2, ({ servers }) => restartServer(servers, "coordinator")),
];

export const citusDisturbances: readonly Disturbance[] = [
  toProcesses("a worker killed and restarted", 3, ({ servers }) => restartServer(servers, "worker")),
  toProcesses("the coordinator killed and restarted", 3, ({ servers }) => restartServer(servers, "coordinator")),
];

function toRedis(name: string, share: number, step: Step): Disturbance {
  return { name, share, endsProcesses: false, disturb: repeat(step) };
}

function toProcesses(name: string, share: number, step: Step): Disturbance {
  return { name, share, endsProcesses: true, disturb: repeat(step) };
}

function repeat(step: Step): Disturbance["disturb"] {
  return async (cluster, over) => {
    while (!over.aborted) await step(cluster, over);
  };
}

/** Cuts the connections for a while, by lost packets or by refusals, and waits a while after that. */
async function cut(proxies: readonly FaultProxy[]): Promise<void> {
  const isSilent = Math.random() < 0.5;
  for (const proxy of proxies) {
    if (isSilent) proxy.stall();
    else proxy.refuse();
  }
  await sleep(100 + Math.random() * 600);
  for (const proxy of proxies) proxy.heal();
  await sleep(200 + Math.random() * 600);
}

async function restart(processes: readonly CheckedProcess[]): Promise<void> {
  await pick(processes).restart();
  await sleep(Math.random() * 1_000);
}

async function restartServer(servers: Cluster["servers"], which: "coordinator" | "worker"): Promise<void> {
  await servers?.restart(which);
  // Until all its sessions have noticed, a process has too few; with more frequent kills every reply would be 503.
  await sleep(5_000 + Math.random() * 5_000);
}

async function pause(processes: readonly CheckedProcess[]): Promise<void> {
  await pick(processes).pause(Math.random() * 1_500);
  await sleep(Math.random() * 500);
}
