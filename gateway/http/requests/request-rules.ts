// The rules that do not depend on the route. A new rule has to be added to `meetsRules` too.
import type { IncomingMessage } from "node:http";
import { hasSeveralHosts } from "../../../services/platform/connect/host-header.ts";
import {
  headersTooLarge,
  missingHost,
  severalHosts,
  unknownPath,
  unmetExpectation,
  urlTooLong,
} from "../errors/catalog.ts";
import { maxHeaderBytes, maxUrlLength } from "../limits/limits.ts";

/** Checks the length of the target and of the headers. To be called before the callback is read: 414 and 431 are never wrapped (contract §4.3). */
export function checkLengths(request: IncomingMessage): void {
  if ((request.url ?? "").length > maxUrlLength) throw urlTooLong();
  if (headerBytes(request) > maxHeaderBytes) throw headersTooLarge();
}

/** Checks the path, the host and the expectation. */
export function checkHead(request: IncomingMessage): void {
  const { headers, httpVersion, url = "" } = request;
  // The router takes some double slashes for one (contract §1.6).
  if (/^[^?]*\/\//.test(url)) throw unknownPath();
  if (httpVersion === "1.1" && headers.host === undefined) throw missingHost();
  if (hasSeveralHosts(request)) throw severalHosts();
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect.trim())) throw unmetExpectation();
}

/**
 * Whether a request for a target that was served before certainly meets the rules above, and asks for no upgrade: it may refuse one that
 * meets them. The length and the slashes of the target were checked when it was served first.
 */
export function meetsRules(request: IncomingMessage): boolean {
  const { headers } = request;
  return (
    headers.host !== undefined &&
    !hasSeveralHosts(request) &&
    headers.expect === undefined &&
    headers.upgrade === undefined &&
    headerBytes(request) <= maxHeaderBytes
  );
}

/** Bytes of the header lines, names and values with their colons and line ends. */
function headerBytes({ rawHeaders }: IncomingMessage): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length + 2;
  return bytes;
}

/** Bytes of memory that a request's target and headers take: the texts, and 48 for each name and each value (measured). */
export function headMemory(request: IncomingMessage): number {
  return (request.url as string).length + headerBytes(request) + 48 * request.rawHeaders.length;
}
