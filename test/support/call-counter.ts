import { Session } from "node:inspector/promises";

export interface CallCounter {
  /** How often the function was called since the last time it was asked. */
  calls(): Promise<number>;
  stop(): Promise<void>;
}

/** Counts the calls of a function of this process, of whatever file, as the engine counts them for coverage. */
export async function startCallCounter(functionName: string): Promise<CallCounter> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true });
  return {
    async calls() {
      const { result } = await session.post("Profiler.takePreciseCoverage");
      const counts = result
        .flatMap(({ functions }) => functions)
        .filter((called) => called.functionName === functionName)
        .map(({ ranges }) => ranges[0]?.count);
      return counts.reduce((sum: number, count) => sum + (count ?? 0), 0);
    },
    async stop() {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}
