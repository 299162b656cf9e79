import { oncePer } from "../../../services/platform/once-per.ts";
import type { PublicError } from "../errors/public-error.ts";
import { commonHeaders } from "./common-headers.ts";
import { type PageForm, toScript } from "./encoding.ts";
import { shortDigest } from "./entity-tag.ts";

/** A whole reply, ready to be sent. */
export interface Page {
  bytes: Buffer;
  form: PageForm;
  /** The entity tag: equal tags, equal bytes (RFC 9110 §8.8.3). Scripts and refusals have none. */
  etag: string;
  /** Whether it is for signed-in callers. */
  isPrivate: boolean;
  /**
   * The headers of a 200 and of a 304 to a client that sends no Origin, as Node takes them: name, value, name, value. Those of a
   * script lack its length, which depends on the callback's name.
   */
  head: readonly string[];
  notModifiedHead: readonly string[];
}

/** To be increased when stored pages would differ from new ones of the same version: it is a part of their keys in Redis. */
export const rendering = 2;

/**
 * @param bytes in the form
 * @param plain the same reply in plain bytes, which its tag names
 */
export function createPage(bytes: Buffer, form: PageForm, plain: Buffer, isPrivate: boolean): Page {
  if (form === "script") return { ...scriptOf(bytes), isPrivate };
  const tag = shortDigest(plain);
  const etag = form === "identity" ? `"${tag}"` : `"${tag}-${form}"`;
  const shared = sharedHead(isPrivate ? "private, no-cache" : "no-cache", etag);
  const coding = form === "identity" ? [] : ["Content-Encoding", form];
  const head = ["Content-Type", "application/json", "Content-Length", `${bytes.length}`, ...coding, ...shared];
  return { bytes, form, etag, isPrivate, head, notModifiedHead: shared };
}

/** A refusal, as clients get it that send no callback. It has no tag, since clients store no refusals (contract §5). */
export const refusalPage = oncePer((error: PublicError): Page => {
  const bytes = Buffer.from(error.toText());
  const shared = sharedHead("no-store");
  const head = ["Content-Type", "application/json", "Content-Length", `${bytes.length}`, ...shared];
  return { bytes, form: "identity", etag: "", isPrivate: false, head, notModifiedHead: head };
});

/** The same refusal as a script. */
export const refusalScript = oncePer((error: PublicError): Page => scriptOf(toScript(Buffer.from(error.toText()))));

function scriptOf(bytes: Buffer): Page {
  const head = ["Content-Type", "text/javascript; charset=utf-8", ...sharedHead("no-store")];
  return { bytes, form: "script", etag: "", isPrivate: false, head, notModifiedHead: head };
}

/** The names and values of the headers that a 200 and a 304 have in common. */
function sharedHead(cacheControl: string, etag?: string): string[] {
  return Object.entries({ ...commonHeaders(), "Cache-Control": cacheControl, ...(etag && { ETag: etag }) }).flat();
}
