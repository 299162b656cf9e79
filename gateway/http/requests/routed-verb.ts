import type { IncomingMessage } from "node:http";

/**
 * Presents every request to the router as a GET: every path answers all verbs alike or decides by itself (contract §1), so each is
 * added once and not for 34 verbs, since building 34 trees of routes takes a quarter of a gateway's start. So a route for one verb alone
 * cannot be added; `addReadOnly` refuses verbs instead.
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
