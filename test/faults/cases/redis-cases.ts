import { setTimeout as sleep } from "node:timers/promises";
import type { Fault, FaultCase } from "../fault-case.ts";
import type { Rig } from "../rig.ts";

/** Faults of Redis other than kills (kills.ts) and its connections (wires.ts). */
export const redisCases: readonly FaultCase[] = [
  {
    name: "redis-stopped",
    title: "Redis is stopped, and started again after 4 s",
    times: 3,
    needs: "Redis",
    harmless: true,
    fault: ({ redis }) => ({ begin: () => redis?.kill(), holdMs: 4_000, end: () => redis?.restart() }),
  },
  {
    name: "redis-flushed",
    title: "Redis is flushed again and again for 5 s",
    times: 3,
    needs: "Redis",
    harmless: true,
    fault: flushing,
  },
];

function flushing({ redis }: Rig): Fault {
  let isOver = false;
  let flushed: Promise<void> = Promise.resolve();
  const flush = async () => {
    while (!isOver) {
      await redis?.send("FLUSHALL");
      await sleep(Math.random() * 60);
    }
  };
  return {
    begin: () => void (flushed = flush()),
    holdMs: 5_000,
    async end() {
      isOver = true;
      await flushed;
    },
  };
}
