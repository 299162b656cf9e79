import { stat } from "node:fs/promises";
import { kindOf } from "../import/twitter/embedded-records.ts";
import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { type Element, JsonFault, readableElement, readElements } from "../json/read-elements.ts";
import { type Archive, ArchiveFault } from "./archive.ts";
import { isMastodonFile, mastodonArchive, outbox } from "./mastodon-archive.ts";
import { openFile, openFolder } from "./plain-files.ts";
import { openTar } from "./tar.ts";
import { jsonArchive, listsOfV1, type UserArchive, unwrapped } from "./user-archive.ts";
import { isXFile, xArchive, xFiles } from "./x-archive.ts";
import { openZip } from "./zip.ts";

/** The forms of files that are read. */
export type Form = keyof typeof readers;

const readers = { "an archive of X": xArchive, "an archive of Mastodon": mastodonArchive, "API v1.1": jsonArchive };

/** Opens one person's archive of any form. @throws ArchiveFault when it is none, UserError when it cannot be read */
export async function openUserArchive(path: string): Promise<UserArchive> {
  const { form, archive } = await whatIs(path);
  return readers[form](path, archive);
}

/**
 * Finds out what a file or folder is: the first step of every import. Its first bytes say how it is packed; the names of the files in it, or of a
 * single file the first lines, whose form it has.
 * @throws ArchiveFault for a form that is not supported, which it names, and for an unknown one, whose beginning it describes
 */
export async function whatIs(path: string): Promise<{ form: Form; archive: Archive }> {
  if ((await stat(path)).isDirectory()) return packed(await openFolder(path, isKnownFile));
  const start = (await beginningOf(await openFile(path, "", false))).toString("latin1", 0, 4);
  if (start === "PK\x03\x04" || start === "PK\x05\x06") return packed(await openZip(path, isKnownFile));
  const isGzipped = start.startsWith("\x1f\x8b");
  const head = await beginningOf(await openFile(path, "", isGzipped));
  if (isTarHeader(head)) return packed(await openTar(path, isGzipped, isKnownFile));
  const { form, name } = await formOf(head);
  return { form, archive: await openFile(path, name, isGzipped) };
}

/** Whether a file of an archive is read. */
export function isKnownFile(name: string): boolean {
  return isXFile(name) || isMastodonFile(name);
}

function packed(archive: Archive): { form: Form; archive: Archive } {
  const [isX, isMastodon] = [archive.names.some(xFiles.tweets), archive.names.includes(outbox)];
  if (isX !== isMastodon) return { form: isX ? "an archive of X" : "an archive of Mastodon", archive };
  archive.close();
  throw new ArchiveFault(
    isX
      ? `it holds both X's tweets.js and ${outbox}`
      : `it holds neither X's tweets.js (or tweet.js, js/tweets) nor ${outbox}`,
  );
}

/** The form of a single file, and the name that it has in an archive. */
async function formOf(head: Buffer): Promise<{ form: Form; name: string }> {
  const text = head.toString("utf8").replace(/^\ufeff?\s+/, "");
  const [, list, part, month] =
    /^window\.YTD\.(\w+)\.part(\d+)\s*=|^Grailbird\.data\.tweets_(\w+)\s*=/.exec(text) ?? [];
  if (month !== undefined) return { form: "an archive of X", name: `data/js/tweets/${month}.js` };
  if (list !== undefined) {
    const name = `data/${list.replaceAll("_", "-")}${part === "0" ? "" : `-part${part}`}.js`;
    if (xFiles.tweets(name)) return { form: "an archive of X", name };
    throw new ArchiveFault(`it is ${name} of an archive of X, which holds no posts`);
  }
  if (/^\{[^]*"orderedItems"\s*:/.test(text)) return { form: "an archive of Mastodon", name: outbox };
  const elements = await firstElements(head);
  const values = elements.map(readableElement).filter(isObject).map(unwrapped);
  const other = unsupported.find(({ is }) => values.some(is));
  if (other !== undefined) throw new ArchiveFault(`it is ${other.name}, which is not supported`);
  const isEmptyList = /^(?:\[|\{[^{}[\]]*\[)\s*\]/.test(text);
  if (isEmptyList || values.some((value) => kindOf(value) !== undefined)) return { form: "API v1.1", name: "" };
  throw new ArchiveFault(`it has no form that is read here: ${described(text, head, elements)}`);
}

/** Forms that are known, and not read. */
const unsupported: { name: string; is(value: JsonObject): boolean }[] = [
  { name: "an export of notes of Misskey", is: (value) => "renoteId" in value || "localOnly" in value },
  {
    name: "a backup in the form of Mastodon's API, such as mastodon-archive makes",
    is: (value) => "visibility" in value && "content" in value && "account" in value,
  },
];

/** The elements in the beginning of a JSON file; none if it is something else. */
async function firstElements(head: Buffer): Promise<Element[]> {
  const found: Element[] = [];
  try {
    async function* chunks() {
      yield head;
    }
    for await (const elements of readElements(chunks(), { names: listsOfV1 })) found.push(...elements);
  } catch (error) {
    // Cut off, of course.
    if (!(error instanceof JsonFault)) throw error;
  }
  return found;
}

function described(text: string, head: Buffer, elements: readonly Element[]): string {
  if (head.length === 0) return "it is empty";
  if (head.subarray(0, 512).includes(0)) return `it begins with the bytes ${head.subarray(0, 8).toString("hex")}`;
  const [first] = elements.map(readableElement);
  if (first !== undefined) return `it begins with ${text.startsWith("[") ? "a list of " : ""}${shape(first)}`;
  const lines = text.split(/\r?\n/, 2).map((line) => JSON.stringify(line.slice(0, 60)));
  return `it begins with ${lines.join(" and ")}`;
}

function shape(value: Json): string {
  if (!isObject(value)) return Array.isArray(value) ? "lists" : `the value ${JSON.stringify(value).slice(0, 60)}`;
  return `objects with ${Object.keys(value)
    .slice(0, 8)
    .map((name) => name.slice(0, 40))
    .join(", ")}`;
}

/** The first bytes of a single file, as far as it can be unpacked: its reader says what is broken. */
async function beginningOf(file: Archive): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const { read } of file.entries(() => true)) {
      for await (const part of read()) {
        parts.push(part);
        size += part.length;
        if (size >= headBytes) break;
      }
    }
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
  }
  return Buffer.concat(parts);
}

/**
 * Whether a file begins with the header of a file in a tar. Those from before POSIX lack the name of the format, but each has its sum, in octal
 * digits, counted with blanks in their place.
 */
function isTarHeader(head: Buffer): boolean {
  const block = Buffer.from(head.subarray(0, 512));
  if (block.length < 512) return false;
  if (block.toString("latin1", 257, 262) === "ustar") return true;
  const [, digits] = /^ *([0-7]+)[ \0]*$/.exec(block.toString("latin1", 148, 156)) ?? [];
  const sum = block.fill(" ", 148, 156).reduce((total, byte) => total + byte, 0);
  return digits !== undefined && Number.parseInt(digits, 8) === sum;
}

/** Enough to see an element: a status takes some kilobytes. */
const headBytes = 256 * 1024;
