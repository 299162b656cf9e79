import type { Figures } from "./results/row.ts";
import { microsecondsPerRequest, processorTime } from "./system/processor.ts";
import type { BenchSystem } from "./system/start-system.ts";

/**
 * How many statuses a second work takes on a system, and the processor time of each: of the parts of the system, and of this process.
 * @param home the folder of the Postgres that the system uses
 * @param self what this process is called in the figures
 */
export async function statusFigures(
  system: BenchSystem,
  home: string,
  statuses: number,
  self: "tool" | "load",
  work: () => Promise<unknown>,
): Promise<Figures> {
  const [start, before, own] = [performance.now(), processorTime(system, home), process.cpuUsage()];
  await work();
  const seconds = (performance.now() - start) / 1_000;
  const { user, system: kernel } = process.cpuUsage(own);
  const used = microsecondsPerRequest([[before, processorTime(system, home), statuses]]);
  return { "statuses/s": statuses / seconds, ...used, [`${self} µs`]: (user + kernel) / statuses };
}
