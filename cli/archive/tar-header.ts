import { ArchiveFault } from "./fault.ts";

/** What a block of 512 bytes says about the member that follows it. */
export interface TarHeader {
  name: string;
  /** In bytes. */
  size: number;
  type: "file" | "link" | "folder" | "special file" | "long name" | "pax header";
}

/**
 * Reads a header; undefined for a block of zeros, which ends the archive.
 * @throws ArchiveFault when it is none.
 */
export function parseTarHeader(block: Buffer): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (checksum(block) !== octal(block, 148, 8)) throw new ArchiveFault("it is damaged, or no tar file");
  const name = textOf(block.subarray(0, 100));
  // POSIX splits a longer name; GNU's own format has other things there.
  const prefix = block.toString("latin1", 257, 263) === "ustar\0" ? textOf(block.subarray(345, 500)) : "";
  const type = types[String.fromCharCode(block[156] as number)] ?? "special file";
  // Links and folders have no content, whatever their header claims.
  const size = type === "link" || type === "folder" ? 0 : octal(block, 124, 12);
  // GNU writes sizes from 8 GiB on in another way; such a file is too large in any case.
  if (size === undefined) throw new ArchiveFault("it holds a file that is too large, or a damaged header");
  return { name: prefix === "" ? name : `${prefix}/${name}`, size, type };
}

const types: Record<string, TarHeader["type"] | undefined> = {
  "\0": "file",
  "0": "file",
  "7": "file",
  "1": "link",
  "2": "link",
  "5": "folder",
  L: "long name",
  // The name that a link points to; nobody follows it.
  K: "special file",
  x: "pax header",
  // Says things about all members, their names not among them.
  g: "special file",
};

function checksum(block: Buffer): number {
  let sum = 0;
  // The checksum's own place counts as blanks.
  for (const [at, byte] of block.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  return sum;
}

function octal(block: Buffer, at: number, length: number): number | undefined {
  const text = block.toString("latin1", at, at + length).replace(/[\0 ]+$/, "");
  return /^ *[0-7]*$/.test(text) ? Number.parseInt(text.trim() || "0", 8) : undefined;
}

/** The text before the first NUL. */
export function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
}

/**
 * The path in the records of a pax header, "18 path=some/name\n"; undefined when they name none.
 * @throws ArchiveFault when they give another size than the header does: no file that is read needs that.
 */
export function pathOfPax(records: Buffer): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < records.length; ) {
    const blank = records.indexOf(0x20, at);
    const length = blank < 0 ? 0 : Number(records.toString("latin1", at, blank));
    if (!(length > 0 && at + length <= records.length)) throw new ArchiveFault("it holds a damaged header");
    const [key, ...value] = records.toString("utf8", blank + 1, at + length - 1).split("=");
    if (key === "path") path = value.join("=");
    if (key === "size") throw new ArchiveFault("it holds a file of 8 GiB or more");
    at += length;
  }
  return path;
}
