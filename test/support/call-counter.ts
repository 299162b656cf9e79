import { Session } from "node:inspector/promises";

/** Counts the calls of a function in this process, in any file, by the engine's coverage. */
export async function startCallCounter(functionName: string) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true });
  return {
    /** The number of calls since it was last read. */
    async calls(): Promise<number> {
      const { result } = await session.post("Profiler.takePreciseCoverage");
      const called = result.flatMap(({ functions }) => functions).filter((one) => one.functionName === functionName);
      return called.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
    },
    async stop(): Promise<void> {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}
