import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../cli/json/json.ts";
import type { LocalConfig } from "./config.ts";

/** The settings for loading the sample data. */
export type SampleConfig = Pick<LocalConfig, "home" | "hasDatabase" | "accountUrl" | "socialUrl" | "serviceTokens">;

/**
 * Loads the sample data on the first start of an embedded system, through the same import that people use. A file in
 * the home says that this is done, or that the system was started empty; an interrupted load is repeated.
 * @returns whether the system has the sample data
 */
export async function loadSample(config: SampleConfig, empty: boolean, say: (line: string) => void): Promise<boolean> {
  if (config.hasDatabase) return false;
  const file = join(config.home, "sample.json");
  const before = readNote(file);
  if (before.done) return before.loaded ?? true;
  if (!empty) {
    say("loading sample data to look at (the first start only)");
    await importSample(config, say);
  }
  writeNote(file, { done: true, loaded: !empty });
  return !empty;
}

/** Notes on a home whose data was restored that no start has to load the sample. */
export function noteRestored(home: string): void {
  const file = join(home, "sample.json");
  if (!readNote(file).done) writeNote(file, { done: true, loaded: false });
}

/** Imports the sample data. @param say gets a line for each item that is refused */
export async function importSample(
  config: Omit<SampleConfig, "home" | "hasDatabase">,
  say: (line: string) => void,
): Promise<void> {
  // Imported here, since only the first start needs them.
  const { importFiles } = await import("../../cli/import/import-files.ts");
  const { memorySource } = await import("../../cli/import/source.ts");
  const { connectServices } = await import("../../cli/import/services.ts");
  const services = connectServices(config);
  try {
    const { users, statuses } = readSample();
    const reporter = { refused: (place: string, reason: string) => say(`${place}: ${reason}`), progress: () => {} };
    await importFiles(services.clients, [memorySource("sample", [...users, ...statuses])], reporter, "sample");
  } finally {
    services.close();
  }
}

/** The content of the file; earlier releases did not store whether the sample was loaded. */
interface Note {
  done: boolean;
  loaded?: boolean;
}

function readNote(file: string): Note {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Note) : { done: false };
}

// Written under another name and renamed, so that a kill leaves the old file or the new one.
function writeNote(file: string, note: Note): void {
  writeFileSync(`${file}.new`, JSON.stringify(note));
  renameSync(`${file}.new`, file);
}

/** The sample data: users and statuses in the shape of Twitter API v1.1, as `npm run import` reads them. */
export interface Sample {
  users: SampleRecord[];
  statuses: SampleRecord[];
}

type SampleRecord = { [field: string]: Json };

/** Reads the sample data. Its pictures are paths of the gateway, so that they are on whatever host is asked. */
export function readSample(): Sample {
  return JSON.parse(readFileSync(new URL("sample/sample.json", import.meta.url), "utf8")) as Sample;
}
