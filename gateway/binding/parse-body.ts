import type { IncomingHttpHeaders } from "node:http";
import { unreadable } from "../http/errors/catalog.ts";
import { type Pairs, parsePairs } from "../http/requests/form-pairs.ts";
import { decodeUtf8, parseMultipart } from "./multipart.ts";
import { parseJson, type Wanted } from "./parse-json.ts";

/** A request's body: JSON, undefined when there is none, or the pairs of a form. */
export interface Body {
  json: unknown;
  form: Pairs;
}

/**
 * Reads what is wanted of a body, as a form when it is one, else as JSON, whatever its content type says (contract §2).
 * Throws SerializationException.
 */
export function parseBody(body: Buffer, headers: IncomingHttpHeaders, wanted: Wanted): Body {
  if (body.length === 0) return { json: undefined, form: [] };
  refuseEncoded(headers["content-encoding"]);
  const type = headers["content-type"] ?? "";
  const mediaType = type.split(";", 1)[0]?.trim().toLowerCase();
  const bytes = withoutMark(body);
  const isForm = !looksLikeJson(bytes);
  if (isForm && mediaType === "multipart/form-data") {
    return { json: undefined, form: parseMultipart(bytes, type, wanted) };
  }
  const text = decodeUtf8(bytes);
  if (isForm && mediaType === "application/x-www-form-urlencoded") {
    return { json: undefined, form: parsePairs(text, wanted) };
  }
  return { json: readJson(text, wanted), form: [] };
}

/** A body without its leading byte order mark. In a form, one at the beginning of a value belongs to the value. */
function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? body.subarray(byteOrderMark.length) : body;
}

const byteOrderMark = Buffer.from("\ufeff");

function refuseEncoded(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return;
  throw unreadable("The body should come without a Content-Encoding.");
}

// `curl -d '{…}'` calls its JSON a form. No form starts so: an encoder writes { and [ as %7B and %5B, and a multipart one starts with --.
function looksLikeJson(bytes: Buffer): boolean {
  let at = 0;
  while (isBlank(bytes[at])) at++;
  return bytes[at] === 0x7b || bytes[at] === 0x5b;
}

/** As RFC 8259 defines them. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function readJson(text: string, wanted: Wanted): unknown {
  if (text.trim() === "") return undefined;
  try {
    return parseJson(text, wanted);
  } catch {
    throw unreadable("The body is not valid JSON.");
  }
}
