import { open } from "node:fs/promises";
import { openSources } from "../import/file-source.ts";
import { ArchiveFault } from "./archive.ts";
import { jsonArchive } from "./json-archive.ts";
import { isMastodonFile, mastodonArchive, outbox } from "./mastodon/mastodon-archive.ts";
import { openTar } from "./tar.ts";
import type { UserArchive } from "./user-archive.ts";
import { isXFile, xArchive, xFiles } from "./x/x-archive.ts";
import { openZip } from "./zip.ts";

/**
 * Opens one person's archive: of X (zip) or of Mastodon (zip, tar, tar.gz), or a file of API v1.1. Its first bytes and the
 * names inside tell which.
 * @throws UserError, or ArchiveFault when it is something else.
 */
export async function openUserArchive(path: string): Promise<UserArchive> {
  const [source] = await openSources([path], true);
  const kind = await kindOfFile(path);
  if (kind === "json" && source !== undefined) return jsonArchive(source);
  if (kind !== "zip") return mastodonArchive(path, await openTar(path, kind === "tar.gz"));
  const zip = await openZip(path, (name) => isXFile(name) || isMastodonFile(name));
  const [isX, isMastodon] = [zip.names.some(xFiles.tweets), zip.names.includes(outbox)];
  if (isX !== isMastodon) return isX ? xArchive(path, zip) : mastodonArchive(path, zip);
  zip.close();
  throw new ArchiveFault(
    isX ? `it holds both data/tweets.js and ${outbox}` : `it holds neither data/tweets.js nor ${outbox}`,
  );
}

/** The kind of a file by its first bytes; JSON by default. */
async function kindOfFile(path: string): Promise<"zip" | "tar.gz" | "tar" | "json"> {
  const file = await open(path);
  try {
    const start = Buffer.alloc(512);
    await file.read(start, 0, start.length, 0);
    if (start.readUInt32BE(0) === localFile || start.readUInt32BE(0) === emptyZip) return "zip";
    if (start.readUInt16BE(0) === gzip) return "tar.gz";
    return isTarHeader(start) ? "tar" : "json";
  } finally {
    await file.close();
  }
}

/**
 * Whether a block is the header of a file in a tar. Those from before POSIX lack the name of the format, but each has its sum, in octal
 * digits, counted with blanks in their place.
 */
function isTarHeader(block: Buffer): boolean {
  if (block.toString("latin1", 257, 262) === "ustar") return true;
  const [, digits] = /^ *([0-7]+)[ \0]*$/.exec(block.toString("latin1", 148, 156)) ?? [];
  const sum = block.fill(" ", 148, 156).reduce((total, byte) => total + byte, 0);
  return digits !== undefined && Number.parseInt(digits, 8) === sum;
}

const [localFile, emptyZip, gzip] = [0x504b0304, 0x504b0506, 0x1f8b];
