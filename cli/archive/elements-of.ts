import type { ArchiveEntry } from "./archive.ts";
import { ArchiveFault } from "./fault.ts";
import { type ListPlace, readElements } from "./json-list.ts";

/**
 * The elements of the list in one file of an archive, as text.
 * @throws ArchiveFault that names the file.
 */
export async function* elementsOf(entry: ArchiveEntry, place: ListPlace): AsyncGenerator<string> {
  try {
    yield* readElements(entry.read(), place);
  } catch (error) {
    // What the archive itself says of a file names it already.
    if (!(error instanceof ArchiveFault) || error.message.startsWith(entry.name)) throw error;
    throw new ArchiveFault(`${entry.name}: ${error.message}`, { cause: error });
  }
}
