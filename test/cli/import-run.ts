import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openSources } from "../../cli/import/file-source.ts";
import { importFiles } from "../../cli/import/import-files.ts";
import { type ImportSource, memorySource } from "../../cli/import/source.ts";
import type { Json } from "../../cli/json/json.ts";
import { recordingServices } from "./recording-services.ts";

/** Imports the items of a list in memory; refusals name it "list". */
export function importItems(items: Iterable<Json>, services = recordingServices()) {
  return importSources([memorySource("list", items)], services);
}

/** Writes the texts to files and imports these; refusals name them without their folder. */
export async function importTexts(texts: Record<string, string>) {
  const directory = await mkdtemp(join(tmpdir(), "roost-test-"));
  try {
    const paths = Object.keys(texts).map((name) => join(directory, name));
    for (const path of paths) await writeFile(path, texts[basename(path)] as string);
    const sources = await openSources(paths);
    return await importSources(
      sources.map((source) => ({ ...source, name: basename(source.name) })),
      recordingServices(),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Imports sources; gives what the services have received, the counts, and the refusals as "place: reason". */
async function importSources(sources: ImportSource[], services: ReturnType<typeof recordingServices>) {
  const refusals: string[] = [];
  const report = {
    refused: (place: string, reason: string) => refusals.push(`${place}: ${reason}`),
    progress() {},
  };
  const summary = await importFiles(services.clients, sources, report);
  return { ...services, summary, refusals };
}
