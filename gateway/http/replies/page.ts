import { oncePer } from "../../../services/platform/once-per.ts";
import { type ReplyBytes, wholeBytes } from "../../rendering/assembled-bytes.ts";
import { CompactJson, type StoredBytes } from "../../rendering/compact-json.ts";
import { escapeForScript } from "../../rendering/jsonp.ts";
import type { PublicError } from "../errors/public-error.ts";
import { commonHeaders } from "./common-headers.ts";
import type { Encoding } from "./encoding.ts";

/** How the bytes of a page are written. A script is what follows `NAME(` in a reply to a JSONP call: the JSON, escaped, and `)`. */
export type PageForm = Encoding | "script";

/** A whole reply, ready to be sent. */
export interface Page<B extends ReplyBytes = ReplyBytes> {
  bytes: B;
  form: PageForm;
  /** Names the state that it shows; in a reply to one viewer its bytes, in a viewer's lookup the keys of its entries. */
  state: string;
  /** The entity tag: equal tags, equal bytes (RFC 9110 §8.8.3). A script has none. */
  etag: string;
  /**
   * The headers of a 200 and of a 304 to a client that sends no Origin, as Node takes them: name, value, name, value. Those of a
   * script lack its length, which depends on the callback's name.
   */
  head: readonly string[];
  notModifiedHead: readonly string[];
  /** The same for the Origin that was sent last; empty at first. */
  forOrigin: { origin?: string; head?: string[] | undefined; notModifiedHead?: string[] | undefined };
  /** Of a refusal: the same as a script, once it was sent to a JSONP call. */
  script?: Page<StoredBytes>;
  /** Of a script: the head that was sent last, with its length. */
  sized?: { base: readonly string[]; length: number; head: string[] };
}

/** The content of a page, with the state that it shows. */
export interface PageContent<B extends ReplyBytes = StoredBytes> {
  bytes: B;
  state: string;
}

/** To be raised when the same state is rendered as other bytes. It is a part of each page's tag, since clients have pages of earlier releases. */
export const rendering = 1;

/** To be raised when the same bytes are stored in another layout. */
const layout = 2;

/** With this the key of each page begins: processes of two releases may use one Redis. */
export const pageKeyPrefix = `page:${layout}:${rendering}:`;

/** A page in plain bytes. */
export function plainPage<B extends ReplyBytes>({ bytes, state }: PageContent<B>): Page<B> {
  return createPage(bytes, "identity", state);
}

/** @param state names what the page shows: a word of ASCII letters, digits, dots and dashes that no other state has */
export function createPage<B extends ReplyBytes>(bytes: B, encoding: Encoding, state: string): Page<B> {
  return pageWith(bytes, encoding, state, `${rendering}.${state}`, "no-cache");
}

/** The reply to one viewer. @param state as for createPage; a digest of the plain bytes, or it names the rendering as well */
export function createViewerPage<B extends ReplyBytes>(bytes: B, encoding: Encoding, state: string): Page<B> {
  return pageWith(bytes, encoding, state, state, "private, no-cache");
}

function pageWith<B extends ReplyBytes>(
  bytes: B,
  encoding: Encoding,
  state: string,
  tag: string,
  cacheControl: string,
): Page<B> {
  const etag = encoding === "identity" ? `"${tag}"` : `"${tag}-${encoding}"`;
  const shared = sharedHead(cacheControl, etag);
  const coding = encoding === "identity" ? [] : ["content-encoding", encoding];
  const head = ["content-type", "application/json", "content-length", `${bytes.length}`, ...coding, ...shared];
  return { bytes, form: encoding, state, etag, head, notModifiedHead: shared, forOrigin: {} };
}

/** The names and values of the headers that a 200 and a 304 have in common. */
function sharedHead(cacheControl: string, etag?: string): string[] {
  return Object.entries({ ...commonHeaders(), "cache-control": cacheControl, ...(etag && { etag }) }).flat();
}

/**
 * The reply to a batch of so many pages, without its bytes.
 * @param etag the result of tagWithBody
 * @param isPrivate whether it is for one viewer
 */
export function createBatchFrame(count: number, length: number, etag: string, isPrivate: boolean): Omit<Page, "bytes"> {
  const shared = sharedHead(isPrivate ? "private, no-cache" : "no-cache", etag);
  const own = ["content-type", "application/json", "content-length", `${length}`];
  const head = [...own, completedHeader, `${count}`, ...shared];
  return { form: "identity", state: "", etag, head, notModifiedHead: shared, forOrigin: {} };
}

/** How many items of a batch ran (contract §1.7). */
export const completedHeader = "x-autobatch-completed";

/** A cached refusal. It has no tag, since clients store no refusals (contract §5). */
export const refusalPage = oncePer((error: PublicError): Page => {
  const bytes = Buffer.from(error.toText());
  const shared = sharedHead("no-store");
  const head = ["content-type", "application/json", "content-length", `${bytes.length}`, ...shared];
  return { bytes, form: "identity", state: "", etag: "", head, notModifiedHead: head, forOrigin: {} };
});

/** The same reply for JSONP calls, escaped once for all callbacks. */
export function createScript({ bytes, state }: PageContent<ReplyBytes>): Page<StoredBytes> {
  const shared = sharedHead("no-store");
  const head = ["content-type", "text/javascript; charset=utf-8", ...shared];
  return { bytes: scriptBytes(bytes), form: "script", state, etag: "", head, notModifiedHead: head, forOrigin: {} };
}

function scriptBytes(bytes: ReplyBytes): StoredBytes {
  const escaped = (part: Buffer, isLast = true) =>
    Buffer.from(`${escapeForScript(part.toString())}${isLast ? ")" : ""}`);
  return bytes instanceof CompactJson ? bytes.map(escaped) : escaped(wholeBytes(bytes));
}
