import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { type Archive, type ArchiveEntry, ArchiveFault, nameFor, rethrow } from "./archive.ts";
import { checkRatio, limits, nameCheck, UnpackMeter } from "./limits.ts";

/**
 * Opens a tar file, gzipped or plain, and reads it to its end for the names of the files that `known` chooses. Each call of `entries` reads it
 * from its start, up to the last file that is wanted. tar-stream holds in memory at most a long name of 4 MiB.
 * @throws ArchiveFault when it is broken or hostile.
 */
export async function openTar(path: string, gzipped: boolean, known: (name: string) => boolean): Promise<Archive> {
  const { size } = await stat(path);
  let file: ReturnType<typeof createReadStream> | undefined;
  const names: string[] = [];
  async function* members(wanted: (name: string) => boolean) {
    const source = createReadStream(path, { highWaterMark: 256 * 1024 });
    file = source;
    // Files from before POSIX do not name their format; their checksums are checked all the same.
    const tar = extract({ allowUnknownFormat: true } as object);
    const end = new EndCheck();
    const unpacked = (chunks: AsyncIterable<Buffer>) => checked(chunks, () => source.bytesRead, gzipped, end);
    // The iteration below throws the errors of the pipeline.
    if (gzipped) pipeline(source, createGunzip({ chunkSize: 64 * 1024 }), unpacked, tar, () => {});
    else pipeline(source, unpacked, tar, () => {});
    const checkName = nameCheck();
    const meter = new UnpackMeter();
    try {
      for await (const entry of tar) {
        const { header } = entry;
        const name = nameFor(header.name, wanted);
        checkName(header.name, name);
        if (name !== undefined) yield readable(name, header, entry as AsyncIterable<Uint8Array>, meter);
        entry.resume();
      }
    } catch (error) {
      rethrow(error);
    } finally {
      source.destroy();
    }
    end.check();
  }
  for await (const { name } of members(known)) names.push(name);
  return {
    names,
    async *entries(wanted) {
      let left = names.filter(wanted).length;
      if (left === 0) return;
      for await (const member of members(wanted)) {
        yield member;
        if (--left === 0) return;
      }
    },
    progress: () => Math.min(1, (file?.bytesRead ?? 0) / Math.max(1, size)),
    close: () => file?.destroy(),
  };
}

function readable(
  name: string,
  { type, size }: Header,
  bytes: AsyncIterable<Uint8Array>,
  meter: UnpackMeter,
): ArchiveEntry {
  if (type !== "file" && type !== "contiguous-file") {
    throw new ArchiveFault(`${name} is a ${type ?? "special file"}, and only files are read`);
  }
  if (size > limits.entryBytes) throw new ArchiveFault(`${name} is larger than ${limits.entryBytes} bytes`);
  return {
    name,
    async *read() {
      try {
        // The ratio of the whole is checked as it is unpacked.
        yield* meter.entry(name, bytes, () => size);
      } catch (error) {
        rethrow(error);
      }
    },
  };
}

/** Checks the ratio while unpacking, also of files that are skipped. */
async function* checked(chunks: AsyncIterable<Buffer>, packed: () => number, gzipped: boolean, end: EndCheck) {
  let unpacked = 0;
  for await (const chunk of chunks) {
    unpacked += chunk.length;
    if (gzipped) checkRatio("it", unpacked, packed());
    end.take(chunk);
    yield chunk;
  }
}

/** Whether an archive ends as tar files do, with a block of zeros: tar-stream does not notice one that is cut off between files. */
class EndCheck {
  #zeros = 0;

  take(chunk: Buffer): void {
    const last = chunk.findLastIndex((byte) => byte !== 0);
    this.#zeros = last < 0 ? this.#zeros + chunk.length : chunk.length - 1 - last;
  }

  check(): void {
    if (this.#zeros < 512) throw new ArchiveFault("it is cut off");
  }
}
