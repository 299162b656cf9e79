import { setTimeout as sleep } from "node:timers/promises";
import type { CheckRedis } from "./check-redis.ts";
import type { Cluster } from "./cluster.ts";

/** Something that happens to Redis while readers and writers go on. */
export interface Disturbance {
  name: string;
  /** Its share of all reads. */
  share: number;
  /** Goes on until the signal; everything is well again when it has resolved. */
  disturb(cluster: Cluster, over: AbortSignal): Promise<void>;
}

/** All that design §5 promises to bear. */
export const disturbances: readonly Disturbance[] = [
  { name: "nothing", share: 1, disturb: async () => {} },
  {
    name: "flushed at random",
    share: 2,
    disturb: (cluster, over) =>
      again(over, async () => {
        await cluster.redis.flush();
        await sleep(Math.random() * 60);
      }),
  },
  {
    name: "cut off from all",
    share: 1,
    disturb: (cluster, over) =>
      again(over, () => cut([...cluster.redis.wires.gateways, ...cluster.redis.wires.writers])),
  },
  {
    name: "cut off from the writers",
    share: 1,
    disturb: (cluster, over) => again(over, () => cut(cluster.redis.wires.writers)),
  },
  {
    name: "cut off from one gateway",
    share: 1,
    disturb: (cluster, over) => again(over, () => cut(cluster.redis.wires.gateways.slice(0, 1))),
  },
  {
    name: "killed and restarted",
    share: 1,
    disturb: (cluster, over) =>
      again(over, async () => {
        await cluster.redis.kill();
        await sleep(Math.random() * 300);
        await cluster.redis.restart();
        await sleep(300 + Math.random() * 500);
      }),
  },
];

async function again(over: AbortSignal, step: () => Promise<void>): Promise<void> {
  while (!over.aborted) await step();
}

/** A while without, a while with; now by lost packets, now by ended connections. */
async function cut(wires: CheckRedis["wires"]["gateways"]): Promise<void> {
  const isSilent = Math.random() < 0.5;
  for (const wire of wires) {
    if (isSilent) wire.stall();
    else wire.refuse();
  }
  await sleep(100 + Math.random() * 600);
  for (const wire of wires) wire.heal();
  await sleep(200 + Math.random() * 600);
}
