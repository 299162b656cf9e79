import { Session } from "node:inspector/promises";

export interface CallCounter {
  /** The number of calls since it was last read. */
  calls(): Promise<number>;
  stop(): Promise<void>;
}

/** Counts the calls of a function in this process, in any file, by the engine's coverage. */
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
