import { withOrigin } from "./common-headers.ts";
import { isKnown } from "./entity-tag.ts";
import { createScript, type Page } from "./page.ts";
import type { ReplyWriter } from "./reply-writer.ts";

/** What a request says of the reply that it wants. */
export interface WantedReply {
  method: string;
  origin: string | undefined;
  ifNoneMatch: string | undefined;
}

/**
 * Sends a page past the router, or says that the client has it; gives the status.
 * @param status of a refusal, which no client has
 */
export function sendPlainPage(
  page: Page,
  { method, origin, ifNoneMatch }: WantedReply,
  writer: ReplyWriter,
  status = 200,
): number {
  if (status === 200 && method !== "POST" && isKnown(ifNoneMatch, page.etag)) {
    writer.send(304, headFor(page, "notModifiedHead", origin), []);
    return 304;
  }
  const pieces = page.parts === undefined ? [page.bytes] : ["[", ...page.parts, "]"];
  writer.send(status, headFor(page, "head", origin), pieces);
  return status;
}

/** Characters: a scheme, a host and a port. What a page remembers beside its bytes must stay small. */
const maxOriginLength = 300;

/** Sends a page as the script that hands it to a function (contract §4). @param callback of ASCII characters */
export function sendScript(page: Page, callback: string, origin: string | undefined, writer: ReplyWriter): 200 {
  const script = page.form === "script" ? page : (page.script ??= createScript(page));
  const start = `${callback}(`;
  const length = start.length + script.bytes.length;
  writer.send(200, scriptHead(script, length, origin), [start, script.bytes]);
  return 200;
}

function headFor(page: Page, kind: "head" | "notModifiedHead", origin: string | undefined): string[] {
  if (origin === undefined) return page[kind] as string[];
  if (origin.length > maxOriginLength) return withOrigin(page[kind], origin);
  // Mostly the pages of one site ask for a page again.
  const { forOrigin } = page;
  if (forOrigin.origin !== origin) Object.assign(forOrigin, { origin, head: undefined, notModifiedHead: undefined });
  return (forOrigin[kind] ??= withOrigin(page[kind], origin));
}

/** The head of a script with its length, the same array for the same length and Origin as last time. */
function scriptHead(script: Page, length: number, origin: string | undefined): string[] {
  const base = headFor(script, "head", origin);
  if ((origin?.length ?? 0) > maxOriginLength) return [...base, "content-length", `${length}`];
  if (script.sized?.base !== base || script.sized.length !== length) {
    script.sized = { base, length, head: [...base, "content-length", `${length}`] };
  }
  return script.sized.head;
}
