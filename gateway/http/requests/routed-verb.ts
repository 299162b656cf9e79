import type { IncomingMessage } from "node:http";

/**
 * Presents every request to the router as a GET: every path answers all verbs alike or decides by itself (contract §1), so each is
 * added once and not for 34 verbs (docs/decisions/one-verb-for-the-router.md).
 */
export function presentAsGet(request: IncomingMessage): void {
  verbs.set(request, request.method);
  request.method = "GET";
}

/** Restores the verb of a request. To be called before anything else is done with it. */
export function restoreVerb(request: IncomingMessage): void {
  request.method = verbs.get(request);
}

const verbs = new WeakMap<IncomingMessage, string | undefined>();
