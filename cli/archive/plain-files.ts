import { createReadStream, type ReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Archive, nameFor, rethrow } from "./archive.ts";
import { nameCheck, UnpackMeter } from "./limits.ts";

/** A folder as an archive. Links in it are not followed. */
export async function openFolder(path: string, known: (name: string) => boolean): Promise<Archive> {
  const files = await filesIn(path, known);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file.path)).size));
  return archiveOf(files, sizes);
}

/** The files of a folder that `known` chooses by name, in the order of their names. */
export async function filesIn(path: string, known: (name: string) => boolean): Promise<PlainFile[]> {
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  const checkName = nameCheck();
  return found
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      const name = nameFor(relative(path, file), known);
      checkName(relative(path, file), name);
      return name === undefined ? [] : { name, path: file };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface PlainFile {
  name: string;
  path: string;
}

/** A single file as an archive, plain or gzipped. @param name by which the system that made it knows it */
export async function openFile(path: string, name: string, gzipped: boolean): Promise<Archive> {
  return archiveOf([{ name, path }], [(await stat(path)).size], gzipped);
}

function archiveOf(files: readonly PlainFile[], sizes: readonly number[], gzipped = false): Archive {
  const total = sizes.reduce((sum, size) => sum + size, 1);
  let source: ReadStream | undefined;
  let done = 0;
  async function* read({ path, name }: PlainFile): AsyncGenerator<Uint8Array> {
    const file = createReadStream(path, { highWaterMark: 256 * 1024 });
    source = file;
    if (!gzipped) return yield* file;
    try {
      // The iteration throws the errors of the pipeline.
      const bytes = pipeline(file, createGunzip({ chunkSize: 256 * 1024 }), () => {});
      yield* new UnpackMeter().entry(name, bytes, () => file.bytesRead);
    } catch (error) {
      rethrow(error);
    } finally {
      file.destroy();
    }
  }
  return {
    names: files.map(({ name }) => name),
    async *entries(wanted) {
      done = 0;
      for (const [index, file] of files.entries()) {
        if (wanted(file.name)) yield { name: file.name, read: () => read(file) };
        done += sizes[index] ?? 0;
        source = undefined;
      }
    },
    progress: () => Math.min(1, (done + (source?.bytesRead ?? 0)) / total),
    close: () => source?.destroy(),
  };
}
