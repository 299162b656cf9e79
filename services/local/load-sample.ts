import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalConfig } from "./config.ts";

/** What loading the sample needs to know. */
export type SampleConfig = Pick<LocalConfig, "home" | "hasDatabase" | "accountUrl" | "socialUrl" | "serviceTokens">;

/**
 * Loads the sample town on the first start of an embedded system, through the same import that people use. What was
 * decided stays in a file of the home: the moment that the town's dates go by, so that a load that was cut off goes on
 * where it stopped, or that the system starts empty.
 */
export async function loadSample(config: SampleConfig, empty: boolean, say: (line: string) => void): Promise<void> {
  if (config.hasDatabase) return;
  const file = join(config.home, "sample.json");
  const state = readState(file) ?? { moment: new Date().toISOString(), done: empty };
  if (state.done) return writeState(file, state);
  writeState(file, state);
  say("loading a small town to look at (the first start only)");
  await importTown(config, new Date(state.moment), say);
  writeState(file, { ...state, done: true });
}

async function importTown(config: SampleConfig, now: Date, say: (line: string) => void): Promise<void> {
  // Only the first start needs them, and every start would wait for them.
  const { importFiles } = await import("../../cli/import/import-files.ts");
  const { memorySource } = await import("../../cli/import/memory-source.ts");
  const { connectServices } = await import("../../cli/import/services.ts");
  const { sampleTown } = await import("./sample/town.ts");
  const services = connectServices(config);
  try {
    const { users, statuses } = sampleTown(now);
    const reporter = { refused: (place: string, reason: string) => say(`${place}: ${reason}`), progress: () => {} };
    await importFiles(services.clients, [memorySource("town", [...users, ...statuses])], reporter, {
      origin: "sample",
    });
  } finally {
    services.close();
  }
}

interface SampleState {
  /** What the town takes for now, in ISO 8601. */
  moment: string;
  done: boolean;
}

function readState(file: string): SampleState | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as SampleState) : undefined;
}

// Beside its place and then renamed: a kill in the middle leaves the old file or the new one.
function writeState(file: string, state: SampleState): void {
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}
