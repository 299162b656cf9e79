import { setTimeout as sleep } from "node:timers/promises";
import type { FaultProxy } from "../support/fault-proxy.ts";
import type { Cluster } from "./cluster.ts";
import type { CheckedProcess } from "./processes.ts";

/** Something that happens to Redis or to processes while readers and writers go on. */
export interface Disturbance {
  name: string;
  /** Its share of all reads. */
  share: number;
  /** Whether processes end, so that requests to them have no answer. */
  endsProcesses: boolean;
  /** Goes on until the signal; everything is well again when it has resolved. */
  disturb(cluster: Cluster, over: AbortSignal): Promise<void>;
}

/** One step of what happens, again and again until the signal. */
type Step = (cluster: Cluster, over: AbortSignal) => Promise<void>;

/** All that design §5 promises to bear of Redis. */
export const redisDisturbances: readonly Disturbance[] = [
  toRedis("nothing", 1, () => sleep(50)),
  toRedis("Redis flushed at random", 2, async ({ redis }) => {
    await redis.flush();
    await sleep(Math.random() * 60);
  }),
  toRedis("Redis cut off from all", 1, ({ redis }) => cut([...redis.wires.gateways, ...redis.wires.writers])),
  toRedis("Redis cut off from the social services", 2, ({ redis }) => cut(redis.wires.writers)),
  toRedis("Redis cut off from one social service", 1, ({ redis }) => cut([pick(redis.wires.writers)])),
  toRedis("Redis cut off from one gateway", 1, ({ redis }) => cut([pick(redis.wires.gateways)])),
  toRedis("Redis cut off from the gateways", 1, ({ redis }) => cut(redis.wires.gateways)),
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
];

/** Cuts while tokens are stored, which on a busy machine takes a while after each. */
export const cutsOfTokens = toRedis(
  "Redis cut off from the social services while it holds tokens",
  1,
  async ({ redis }, over) => {
    // Without readers none comes any more.
    while (!over.aborted && !(await redis.holdsTokens())) await sleep(20);
    await sleep(Math.random() * 300);
    await cut(redis.wires.writers);
  },
);

/** All that may happen to processes of their own. */
export const processDisturbances: readonly Disturbance[] = [
  toProcesses("a social service killed and restarted", 1, ({ socials }) => restart(socials)),
  toProcesses("an account service killed and restarted", 1, ({ accounts }) => restart(accounts)),
  toProcesses("a gateway killed and restarted", 1, ({ gateways }) => restart(gateways)),
  toProcesses("processes paused", 1, ({ socials, accounts, gateways }) =>
    pause([...socials, ...accounts, ...gateways]),
  ),
  toProcesses("processes and Redis at once", 2, ({ socials, accounts, gateways, redis }) => {
    const processes = [...socials, ...accounts, ...gateways];
    const { wires } = redis;
    return pick([
      () => restart(processes),
      () => pause(processes),
      () => redis.flush(),
      () => cut(wires.writers),
      () => cut(wires.gateways),
    ])();
  }),
];

/** What may happen to the servers of a Citus cluster; processes find out by a failure that what they had open is gone. */
export const serverDisturbances: readonly Disturbance[] = [
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

/** A while without, a while with; now by lost packets, now by ended connections. */
async function cut(wires: readonly FaultProxy[]): Promise<void> {
  const isSilent = Math.random() < 0.5;
  for (const wire of wires) {
    if (isSilent) wire.stall();
    else wire.refuse();
  }
  await sleep(100 + Math.random() * 600);
  for (const wire of wires) wire.heal();
  await sleep(200 + Math.random() * 600);
}

async function restart(processes: readonly CheckedProcess[]): Promise<void> {
  await pick(processes).restart();
  await sleep(Math.random() * 1_000);
}

async function restartServer(servers: Cluster["servers"], which: "coordinator" | "worker"): Promise<void> {
  await servers?.restart(which);
  // Until all sessions have found out, a process has fewer than it needs; kills one upon the other would show nothing but 503.
  await sleep(5_000 + Math.random() * 5_000);
}

async function pause(processes: readonly CheckedProcess[]): Promise<void> {
  await pick(processes).pause(Math.random() * 1_500);
  await sleep(Math.random() * 500);
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
