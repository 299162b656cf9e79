import { ArchiveFault } from "./archive.ts";

/** Limits of an archive. Each is above what the archive of a real account needs. */
export const limits = {
  /** Files inside an archive, media included. */
  entries: 500_000,
  /** Files that are read: a kilobyte of memory for each. */
  filesRead: 1_000,
  /** Bytes of one file inside, unpacked. */
  entryBytes: 4 * 1024 ** 3,
  /** Bytes of all the files that are read, unpacked. */
  totalBytes: 8 * 1024 ** 3,
  /** Unpacked bytes for each packed one, in one file and in all. JSON of statuses packs 5 to 30 times. */
  ratio: 200,
  /** Unpacked bytes from which on the ratio is checked: a few lines of blanks pack better than any JSON. */
  ratioFromBytes: 16 * 1024 ** 2,
  /** Statuses that are imported from one archive: 28 bytes of memory for each, and 24 more while they are sorted. */
  statuses: 5_000_000,
  /** Long texts of X, which are written since 2023: 200 bytes of memory for each. */
  longTexts: 200_000,
} as const;

/**
 * Checks the names in one archive. They are never used as paths here, but one that leads out of a folder shows that the
 * archive is malicious.
 * @throws ArchiveFault for such a name, for a wanted one that comes twice, and for too many.
 */
export function nameCheck(
  max: { entries: number; filesRead: number } = limits,
): (path: string, name: string | undefined) => void {
  const seen = new Set<string>();
  let count = 0;
  return (written, name) => {
    // Windows writes backslashes.
    const path = written.replaceAll("\\", "/");
    const quoted = JSON.stringify(path.slice(0, 200));
    if (++count > max.entries) throw new ArchiveFault(`it holds more than ${max.entries} files`);
    if (path.startsWith("/") || path.includes("\0") || /^[A-Za-z]:/.test(path)) {
      throw new ArchiveFault(`it holds a file with an absolute or foreign name, ${quoted}`);
    }
    if (path.split("/").includes("..")) throw new ArchiveFault(`it holds a file that leads out of it, ${quoted}`);
    if (name === undefined) return;
    if (seen.has(name)) throw new ArchiveFault(`it holds ${JSON.stringify(name)} twice`);
    if (seen.size === max.filesRead) throw new ArchiveFault(`it holds more than ${max.filesRead} files of posts`);
    seen.add(name);
  };
}

/** Counts what is unpacked from one archive. */
export class UnpackMeter {
  readonly #max: { entryBytes: number; totalBytes: number };
  /** Unpacked bytes of all files. */
  total = 0;

  /** @param max other limits, for tests. */
  constructor(max: { entryBytes: number; totalBytes: number } = limits) {
    this.#max = max;
  }

  /**
   * Passes the bytes of one file on as long as they stay within the limits.
   * @param packed gives the packed bytes read so far.
   * @throws ArchiveFault
   */
  async *entry(name: string, bytes: AsyncIterable<Uint8Array>, packed: () => number): AsyncGenerator<Uint8Array> {
    const { entryBytes, totalBytes } = this.#max;
    let unpacked = 0;
    for await (const chunk of bytes) {
      unpacked += chunk.length;
      this.total += chunk.length;
      if (unpacked > entryBytes) throw new ArchiveFault(`${name} is larger than ${entryBytes} bytes`);
      if (this.total > totalBytes) throw new ArchiveFault(`it unpacks to more than ${totalBytes} bytes`);
      checkRatio(name, unpacked, packed());
      yield chunk;
    }
  }
}

/**
 * Refuses a file that unpacks to more than `ratio` times its size.
 * @throws ArchiveFault
 */
export function checkRatio(name: string, unpacked: number, packed: number): void {
  if (unpacked <= limits.ratioFromBytes || unpacked <= packed * limits.ratio) return;
  throw new ArchiveFault(`${name} unpacks to more than ${limits.ratio} times its size, as no archive of statuses does`);
}
