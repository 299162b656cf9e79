import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Archive } from "./archive.ts";
import { entryNames } from "./entry-names.ts";
import { ArchiveFault } from "./fault.ts";
import { limits } from "./limits.ts";
import { checkRatio, createMeter } from "./meter.ts";
import { readTar } from "./tar-entries.ts";

/** A tar file, gzipped or plain. It is read from its start each time that it is visited. */
export function openTar(path: string, gzipped: boolean): Archive {
  return {
    async *entries(wanted) {
      const file = createReadStream(path, { highWaterMark: 256 * 1024 });
      const check = entryNames(limits.entries);
      const meter = createMeter();
      try {
        for await (const entry of readTar(gzipped ? unpacked(file) : file)) {
          check(entry.name, wanted(entry.name));
          if (!wanted(entry.name)) continue;
          if (entry.type !== "file")
            throw new ArchiveFault(`${entry.name} is a ${entry.type}, and only files are read`);
          if (entry.size > limits.entryBytes) {
            throw new ArchiveFault(`${entry.name} is larger than ${limits.entryBytes} bytes`);
          }
          // The ratio of the whole is checked as it is unpacked.
          const bytes = meter.entry(entry.name, entry.bytes(), () => entry.size);
          yield { name: entry.name, read: () => bytes };
        }
      } catch (error) {
        if (error instanceof ArchiveFault || !(error instanceof Error) || !isOfZlib(error)) throw error;
        throw new ArchiveFault(`it cannot be unpacked: ${error.message}`, { cause: error });
      } finally {
        file.destroy();
      }
    },
    close() {},
  };
}

async function* unpacked(file: ReturnType<typeof createReadStream>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  // Errors of either end come out of the iteration.
  pipeline(file, gunzip, () => {});
  let size = 0;
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    size += chunk.length;
    checkRatio("it", size, file.bytesRead);
    yield chunk;
  }
}

function isOfZlib(error: Error): boolean {
  return "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
}
