import { UserError } from "../errors.ts";
import { type Element, JsonFault, readElements } from "../json/read-elements.ts";

/** Why a file cannot be imported; nothing of it is. The message follows the file's name. */
export class ArchiveFault extends UserError {
  override name = "ArchiveFault";
}

/** A file inside an archive. Its name is only compared, never used as a path. */
export interface ArchiveEntry {
  name: string;
  /** @throws ArchiveFault when it is broken, too large, or locked. */
  read(): AsyncIterable<Uint8Array>;
}

/** A zip or tar file, a folder, or a single file. */
export interface Archive {
  /** The names of the files that the system which made it gives them, as far as they are known here. */
  names: readonly string[];
  /**
   * The files that `wanted` chooses by name, in the archive's order. Each is to be read before the next one is asked for.
   * @throws ArchiveFault when the archive is broken or hostile.
   */
  entries(wanted: (name: string) => boolean): AsyncGenerator<ArchiveEntry>;
  /** How much of it has been read, 0 to 1. */
  progress(): number;
  close(): void;
}

/**
 * The name by which `wanted` takes a file, undefined where it takes none. An archive that was unpacked and packed again may have all of its
 * files in one folder more, and Windows writes backslashes.
 */
export function nameFor(path: string, wanted: (name: string) => boolean): string | undefined {
  const name = path.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
  return [name, name.replace(/^[^/]+\//, "")].find(wanted);
}

/**
 * The elements of the list in one file of an archive, those of each chunk together.
 * @throws ArchiveFault that names the file.
 */
export async function* elementsOf(
  entry: ArchiveEntry,
  list: Parameters<typeof readElements>[1],
): AsyncGenerator<readonly Element[]> {
  try {
    yield* readElements(entry.read(), list);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new ArchiveFault(`${entry.name}${error.path}: ${error.reason}`.replace(/^: /, ""), { cause: error });
  }
}

/** Errors of zlib, tar-stream and yauzl mean a broken archive; errors of the system are passed on. */
export function rethrow(error: unknown, where = ""): never {
  if (error instanceof ArchiveFault || !(error instanceof Error) || "syscall" in error) throw error;
  if (error.message === "Unexpected end of data") throw new ArchiveFault("it is cut off", { cause: error });
  throw new ArchiveFault(`${where}it cannot be unpacked: ${error.message}`, { cause: error });
}
