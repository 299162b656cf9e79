import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs tasks side by side, in their order: always `min`, and up to `max` while the processors are partly idle. More would only make each
 * other late, until what a test waits for takes longer than the product lets it.
 */
export async function runWhileIdle<T>(
  tasks: readonly (() => Promise<T>)[],
  { min, max }: { min: number; max: number },
): Promise<T[]> {
  const results: Promise<T>[] = [];
  let active = 0;
  for (const task of tasks) {
    while (active >= min) {
      const idle = await idlePart();
      if (active < max && idle >= minIdle) break;
    }
    active++;
    results.push(task().finally(() => active--));
  }
  return Promise.all(results);
}

/** The part of the next half second in which the processors do nothing. */
async function idlePart(): Promise<number> {
  const before = processorTime();
  await sleep(500);
  const after = processorTime();
  return (after.idle - before.idle) / Math.max(after.all - before.all, 1);
}

/** Milliseconds of all processors since the machine started. */
function processorTime(): { idle: number; all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((time) => Object.values(time))) };
}

const minIdle = 0.05;
