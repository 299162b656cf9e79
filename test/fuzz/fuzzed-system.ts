import { register } from "../support/people.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import type { FuzzTarget } from "./fuzz-http.ts";

/** The whole system in this process as something to fuzz; its log is read and dropped after each batch. */
export async function startFuzzedSystem(
  settings: NodeJS.ProcessEnv = {},
): Promise<FuzzTarget & Pick<TestSystem, "stop">> {
  const system = await startTestSystem({ LOG_LEVEL: "info", ...settings });
  const defects: string[] = [];
  await register(system, "walter");
  return {
    url: system.url,
    checkLog() {
      const lines = system.logged.splice(0).filter(({ level }) => (level as number) >= 50);
      defects.push(...lines.map((line) => JSON.stringify(line)));
      if (defects.length > 0) throw new Error(`the log holds ${defects.splice(0).slice(0, 3).join("\n    ")}`);
    },
    stop: () => system.stop(),
  };
}
