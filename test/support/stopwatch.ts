import { readFileSync } from "node:fs";

// Apart from suite.ts: who imports that one has uvu run its suites.

/** Starts a measurement; the returned function gives the time since, such as `1.2 s, CPU 0.8 s`. */
export function startStopwatch(): () => string {
  const start = performance.now();
  const startCpu = cpuSeconds();
  return () => `${((performance.now() - start) / 1_000).toFixed(1)} s, CPU ${(cpuSeconds() - startCpu).toFixed(1)} s`;
}

/** CPU seconds of this process and, on Linux, of all its children that have ended. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childrenSeconds();
}

function childrenSeconds(): number {
  if (process.platform !== "linux") return 0;
  // The third field follows the name in brackets, which may hold anything. Fields 16 and 17 are the children's time in 1/100 s.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
