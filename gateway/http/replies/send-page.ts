import type { ServerResponse } from "node:http";
import { withOrigin } from "./common-headers.ts";
import { isKnown } from "./entity-tag.ts";
import type { Page } from "./page.ts";

/** What a request asks of its reply. */
export interface WantedReply {
  method: string;
  origin: string | undefined;
  ifNoneMatch: string | undefined;
  /** Of a JSONP call, of ASCII characters; then the page is a script. */
  callback: string | undefined;
}

/**
 * Sends a page past the router, or a 304 if the client has it. Returns the status.
 * @param status of a refusal: then there is no 304
 */
export function sendPage(page: Page, wanted: WantedReply, response: ServerResponse, status = 200): number {
  const { method, origin, ifNoneMatch, callback } = wanted;
  const headFor = (head: readonly string[]) => (origin === undefined ? [...head] : withOrigin(head, origin));
  if (callback !== undefined) {
    const start = `${callback}(`;
    const length = `${start.length + page.bytes.length}`;
    response.writeHead(200, [...headFor(page.head), "Content-Length", length]);
    response.cork();
    if (method !== "HEAD") response.write(start, "latin1");
    response.end(page.bytes);
    return 200;
  }
  if (status === 200 && method !== "POST" && isKnown(ifNoneMatch, page.etag)) {
    response.writeHead(304, headFor(page.notModifiedHead)).end();
    return 304;
  }
  response.writeHead(status, headFor(page.head)).end(page.bytes);
  return status;
}
