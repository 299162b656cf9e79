import type { IncomingMessage, ServerResponse } from "node:http";
import { withOrigin } from "./common-headers.ts";
import { isKnown } from "./entity-tag.ts";
import { createScript, type Page } from "./page.ts";
import { writeHead } from "./write-head.ts";

/**
 * Sends a page past the router, or says that the client has it; gives the status.
 * @param status of a refusal, which no client has
 */
export function sendPlainPage(page: Page, request: IncomingMessage, response: ServerResponse, status = 200): number {
  const { origin } = request.headers;
  if (status === 200 && request.method !== "POST" && isKnown(request.headers["if-none-match"], page.etag)) {
    writeHead(request, response, 304, headFor(page, "notModifiedHead", origin));
    response.end();
    return 304;
  }
  writeHead(request, response, status, headFor(page, "head", origin));
  if (page.parts === undefined) response.end(page.bytes);
  else sendParts(page.parts, response);
  return status;
}

/** Characters: a scheme, a host and a port. What a page remembers beside its bytes must stay small. */
const maxOriginLength = 300;

/** All pieces in one write to the socket; none is copied. */
function sendParts(parts: readonly Buffer[], response: ServerResponse): void {
  response.cork();
  // Node sends this text in one piece with the headers.
  response.write("[", "latin1");
  for (const part of parts) response.write(part);
  response.end("]", "latin1");
}

/** Sends a page as the script that hands it to a function (contract §4). @param callback of ASCII characters */
export function sendScript(page: Page, callback: string, request: IncomingMessage, response: ServerResponse): 200 {
  const script = page.form === "script" ? page : (page.script ??= createScript(page));
  const start = `${callback}(`;
  const length = start.length + script.bytes.length;
  writeHead(request, response, 200, scriptHead(script, length, request.headers.origin));
  // Node sends this text in one piece with the headers.
  response.write(start, "latin1");
  response.end(script.bytes);
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
