import { isUtf8 } from "node:buffer";
import { unreadable } from "../http/errors/catalog.ts";
import type { PublicError } from "../http/errors/public-error.ts";
import { maxPairs } from "../http/limits/limits.ts";
import { type Pairs, type WantedNames, wantedName } from "../http/requests/form-pairs.ts";

/**
 * Reads the wanted fields of a `multipart/form-data` body (RFC 7578), as far as they have a value; parts with a file name are
 * ignored. Throws SerializationException, also at more than 5,000 parts of other names. Not by a library, since a
 * stream with its events costs far more for each part (docs/decisions/bounded-requests.md).
 * @returns at most one pair more than allowed (limits.ts), which the binder refuses
 */
export function parseMultipart(bytes: Buffer, contentType: string, wanted: WantedNames): Pairs {
  // One character for each byte, so that offsets in the text are offsets in the body.
  const text = bytes.toString("latin1");
  const delimiter = `\r\n--${boundaryOf(contentType)}`;
  const pairs: [string, string][] = [];
  // The first delimiter may be at offset 0.
  let at = text.startsWith(delimiter.slice(2)) ? delimiter.length - 2 : afterNext(text, delimiter, 0);
  for (let parts = 1; !text.startsWith("--", at); parts++) {
    const head = afterLineEnd(text, at);
    const next = afterNext(text, delimiter, head - 2);
    const end = next - delimiter.length;
    // A part without headers begins with the blank line.
    const blankLine = text.startsWith("\r\n", head) ? head - 2 : text.indexOf("\r\n\r\n", head);
    if (blankLine === -1 || blankLine + 4 > end + 2 || blankLine - head > maxHeadLength) throw badForm();
    const name = fieldName(text.slice(head, Math.max(head, blankLine)));
    const body = Math.min(blankLine + 4, end);
    if (name !== undefined && (body < end || wanted.clearable.has(name))) {
      const value = bytes.subarray(body, end);
      const field = wantedName(name, wanted);
      if (field !== undefined) pairs.push([field, decodeUtf8(value)]);
      else if (!isUtf8(value)) throw badForm();
    }
    if (pairs.length > maxPairs) break;
    if (parts > maxPairs) throw unreadable(`The request has more than ${maxPairs} values.`);
    at = next;
  }
  return pairs;
}

/** Characters of a part's headers. */
const maxHeadLength = 16 * 1024;

// RFC 2046 §5.1.1 allows 70 characters.
function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? "";
  if (boundary === "" || boundary.length > 70) throw badForm();
  return boundary;
}

function afterNext(text: string, delimiter: string, at: number): number {
  const found = text.indexOf(delimiter, at);
  if (found === -1) throw badForm();
  return found + delimiter.length;
}

/** Where the line of a delimiter ends; blanks may precede its end. */
function afterLineEnd(text: string, at: number): number {
  while (text[at] === " " || text[at] === "\t") at++;
  if (!text.startsWith("\r\n", at)) throw badForm();
  return at + 2;
}

const disposition = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im;
const parameter = /;[ \t]*([\w*-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;

/** The name of a field in lower case, byte by byte; undefined when a part is a file or has none. */
function fieldName(head: string): string | undefined {
  // A header continues in lines that begin with a blank.
  const [, parameters] = disposition.exec(head.replace(/\r\n(?=[ \t])/g, "")) ?? [];
  let name: string | undefined;
  for (const [, key = "", quoted, plain] of (parameters ?? "").matchAll(parameter)) {
    const word = key.toLowerCase();
    if (word === "filename" || word === "filename*") return undefined;
    if (word === "name") name = quoted?.replace(/\\(.)/g, "$1") ?? plain;
  }
  // Some clients escape brackets here too.
  return name?.toLowerCase().replaceAll("%5b", "[").replaceAll("%5d", "]");
}

function badForm(): PublicError {
  return unreadable("The body is not a readable multipart form.");
}

// fatal: bytes that are not UTF-8 throw. ignoreBOM: a leading byte order mark is a character like any other.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8. @throws SerializationException when it is something else */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw unreadable("The body is not UTF-8.");
  }
}
