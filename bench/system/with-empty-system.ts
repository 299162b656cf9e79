import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BenchSystem, startBenchSystem } from "./start-system.ts";

/**
 * Runs work against this checkout, started as by `npm start`: durable, empty, and deleted afterwards.
 * @param settings environment variables of its processes
 */
export async function withEmptySystem<T>(
  work: (system: BenchSystem, home: string) => Promise<T>,
  settings: NodeJS.ProcessEnv = {},
): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "roost-bench-"));
  const system = await startBenchSystem(join(import.meta.dirname, "../.."), { ROOST_HOME: home, ...settings });
  try {
    return await work(system, home);
  } finally {
    await system.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
