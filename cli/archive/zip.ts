import { open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { type Archive, type ArchiveEntry, ArchiveFault, nameFor, rethrow } from "./archive.ts";
import { checkRatio, limits, nameCheck, UnpackMeter } from "./limits.ts";

/**
 * Opens a zip file and reads its directory, of which it keeps the files that `known` chooses by name.
 * @throws ArchiveFault when it is broken or hostile.
 */
export async function openZip(path: string, known: (name: string) => boolean): Promise<Archive> {
  const bytes = await directoryBytes(path);
  const zip = await openPromise(path, { autoClose: false }).catch(rethrow);
  // Without a listener, an error on the file itself would end the process; reads throw it as well.
  zip.on("error", () => {});
  try {
    const found = await listEntries(zip, bytes, known);
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

/**
 * Reads the directory to the end that the last record names: macOS writes how many files there are modulo 65,536.
 * @param bytes its length; undefined where a record of Zip64 has the count
 */
async function listEntries(
  zip: ZipFile,
  bytes: number | undefined,
  known: (name: string) => boolean,
): Promise<NamedEntry[]> {
  const checkName = nameCheck();
  const found: NamedEntry[] = [];
  let left = bytes ?? 0;
  try {
    // Also an archive that counts 0 may hold some.
    if (zip.entryCount === 0 && left > 0) zip.entryCount = 65_536;
    for await (const entry of zip.eachEntry()) {
      left -= headerBytes + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (zip.entriesRead === zip.entryCount && left > 0) zip.entryCount += 65_536;
      const name = nameFor(entry.fileName, known);
      checkName(entry.fileName, name);
      if (name !== undefined) found.push({ name, entry });
    }
  } catch (error) {
    rethrow(error);
  }
  if (bytes !== undefined && left !== 0) throw new ArchiveFault("its directory is broken");
  return found;
}

/** How long the last record says that the directory is (APPNOTE 4.3.16); undefined where Zip64 is used. */
async function directoryBytes(path: string): Promise<number | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(Math.min(size, lastRecordBytes + 0xffff));
    await file.read(end, 0, end.length, size - end.length);
    const at = end.lastIndexOf("PK\x05\x06", end.length - lastRecordBytes, "latin1");
    const bytes = at < 0 ? none : end.readUInt32LE(at + 12);
    return bytes === none || end.readUInt16LE(at + 10) === 0xffff ? undefined : bytes;
  } finally {
    await file.close();
  }
}

// The fixed parts of the records, and what stands for a number that only Zip64 can write.
const [headerBytes, lastRecordBytes, none] = [46, 22, 0xffff_ffff];

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
