import { withOrigin } from "./common-headers.ts";
import { isKnown } from "./entity-tag.ts";
import { createScript, type Page } from "./page.ts";
import type { ReplyWriter } from "./reply-writer.ts";

/** What a request asks of its reply. */
export interface WantedReply {
  method: string;
  origin: string | undefined;
  ifNoneMatch: string | undefined;
}

/**
 * Sends a page past the router, or a 304 if the client has it. Returns the status.
 * @param status of a refusal: then there is no 304
 */
export function sendPlainPage(
  page: Page,
  { method, origin, ifNoneMatch }: WantedReply,
  writer: ReplyWriter,
  status = 200,
): number {
  if (status === 200 && method !== "POST" && isKnown(ifNoneMatch, page.etag)) {
    writer.send(304, headFor(page, "notModifiedHead", origin), "", noBytes);
    return 304;
  }
  writer.send(status, headFor(page, "head", origin), "", page.bytes);
  return status;
}

const noBytes = Buffer.alloc(0);

/** Characters: a scheme, a host and a port. What a page stores beside its bytes must stay small. */
const maxOriginLength = 300;

/** Sends a page as a script that calls a function with it (contract §4). @param callback of ASCII characters */
export function sendScript(page: Page, callback: string, origin: string | undefined, writer: ReplyWriter): 200 {
  const script = page.form === "script" ? page : (page.script ??= createScript(page));
  const start = `${callback}(`;
  const length = start.length + script.bytes.length;
  writer.send(200, scriptHead(script, length, origin), start, script.bytes);
  return 200;
}

function headFor(page: Page, kind: "head" | "notModifiedHead", origin: string | undefined): string[] {
  if (origin === undefined) return page[kind] as string[];
  if (origin.length > maxOriginLength) return withOrigin(page[kind], origin);
  // Most repeated requests for a page come from the pages of one site.
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
