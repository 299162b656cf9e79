import { pipeline } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { type Archive, type ArchiveEntry, ArchiveFault, nameFor } from "./archive.ts";
import { checkRatio, limits, nameCheck, UnpackMeter } from "./limits.ts";

/**
 * Opens a zip file and reads its directory, of which it keeps the files that `known` chooses by name.
 * @throws ArchiveFault when it is broken or hostile.
 */
export async function openZip(path: string, known: (name: string) => boolean): Promise<Archive & { names: string[] }> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true }).catch(rethrow);
  // Without a listener, an error on the file itself would end the process; reads throw it as well.
  zip.on("error", () => {});
  try {
    const found = await listEntries(zip, known);
    const meter = new UnpackMeter();
    const size = found.reduce((sum, { entry }) => sum + entry.uncompressedSize, 1);
    return {
      names: found.map(({ name }) => name),
      async *entries(wanted) {
        for (const { name, entry } of found) if (wanted(name)) yield readable(zip, entry, name, meter);
      },
      progress: () => Math.min(1, meter.total / size),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

interface NamedEntry {
  /** By which it is wanted. */
  name: string;
  entry: Entry;
}

async function listEntries(zip: ZipFile, known: (name: string) => boolean): Promise<NamedEntry[]> {
  const checkName = nameCheck();
  const found: NamedEntry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameFor(entry.fileName, known);
      checkName(entry.fileName, name);
      if (name !== undefined) found.push({ name, entry });
    }
  } catch (error) {
    rethrow(error);
  }
  return found;
}

function readable(zip: ZipFile, entry: Entry, name: string, meter: UnpackMeter): ArchiveEntry {
  return {
    name,
    async *read() {
      checkHeader(entry);
      const { fileName, uncompressedSize, compressedSize } = entry;
      let [sum, size] = [0, 0];
      try {
        for await (const chunk of meter.entry(fileName, await unpacked(zip, entry), () => compressedSize)) {
          sum = crc32(chunk, sum);
          size += chunk.length;
          if (size > uncompressedSize) throw new ArchiveFault(`${fileName} is larger than the archive says`);
          yield chunk;
        }
      } catch (error) {
        rethrow(error, `${fileName}: `);
      }
      if (size < uncompressedSize) throw new ArchiveFault(`${fileName} is smaller than the archive says`);
      if (sum !== entry.crc32) throw new ArchiveFault(`${fileName} is damaged: its checksum is wrong`);
    },
  };
}

/** The unpacked bytes of a file. yauzl itself would unpack them in pieces of 16 KB, each in a turn of the thread pool. */
async function unpacked(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  if (entry.compressionMethod === stored) return packed;
  // The iteration throws the errors of the pipeline.
  return pipeline(packed, createInflateRaw({ chunkSize: 256 * 1024 }), () => {});
}

/** Checks what the directory says of a file, before a byte is unpacked. */
function checkHeader(entry: Entry): void {
  const { fileName, uncompressedSize, compressedSize, compressionMethod } = entry;
  if (entry.isEncrypted()) throw new ArchiveFault(`${fileName} is encrypted`);
  if (compressionMethod !== stored && compressionMethod !== deflated) {
    throw new ArchiveFault(`${fileName} is packed in a way that is not supported, method ${compressionMethod}`);
  }
  if (((entry.externalFileAttributes >>> 16) & fileType) === symbolicLink) {
    throw new ArchiveFault(`${fileName} is a link, and links are not followed`);
  }
  if (uncompressedSize > limits.entryBytes) {
    throw new ArchiveFault(`${fileName} is larger than ${limits.entryBytes} bytes`);
  }
  checkRatio(fileName, uncompressedSize, compressedSize);
}

const [stored, deflated] = [0, 8];
// Unix modes, in the upper half of the attributes.
const [fileType, symbolicLink] = [0o170000, 0o120000];

function rethrow(error: unknown, where = ""): never {
  if (error instanceof ArchiveFault || !(error instanceof Error)) throw error;
  throw new ArchiveFault(`${where}it cannot be read: ${error.message}`, { cause: error });
}
