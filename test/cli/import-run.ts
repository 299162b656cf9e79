import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openSources } from "../../cli/import/file-source.ts";
import { importFiles } from "../../cli/import/import-files.ts";
import type { ImportClients } from "../../cli/import/services.ts";
import { type ImportSource, memorySource } from "../../cli/import/source.ts";
import type { Json } from "../../cli/json/json.ts";

/** Imports the items of a list in memory; refusals name it "list". */
export function importItems(clients: ImportClients, items: Iterable<Json>) {
  return importSources(clients, [memorySource("list", items)]);
}

/** Writes the texts to files and imports these; refusals name them without their folder. */
export async function importTexts(clients: ImportClients, texts: Record<string, string | Uint8Array>) {
  const directory = await mkdtemp(join(tmpdir(), "roost-test-"));
  try {
    const paths = Object.keys(texts).map((name) => join(directory, name));
    for (const path of paths) await writeFile(path, texts[basename(path)] as string);
    const sources = await openSources(paths);
    return await importSources(
      clients,
      sources.map((source) => ({ ...source, name: basename(source.name) })),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Imports sources and collects the refusals as "place: reason". */
export async function importSources(clients: ImportClients, sources: ImportSource[]) {
  const refusals: string[] = [];
  const report = {
    refused: (place: string, reason: string) => refusals.push(`${place}: ${reason}`),
    progress() {},
  };
  const summary = await importFiles(clients, sources, report);
  return { summary, refusals };
}
