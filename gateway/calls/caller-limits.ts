import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { createKeyedLimit } from "../../services/platform/keyed-limit.ts";
import type { RawCall } from "./raw-call.ts";

/** How many calls may be under way at once. */
interface CallerLimits {
  ofViewer: number;
  /** All anonymous callers together. */
  anonymous: number;
}

/**
 * Bounds the calls that each caller has under way over the same connections (64, unary-transport.ts): the others of that caller wait, so
 * that one client with many slow requests delays its own, and those of others by a part of the connections only. Viewers who share a load
 * (load-once.ts) wait with the one who began it.
 * @returns what bounds a call; all that it is applied to count together
 */
export function createCallerLimits(limits: CallerLimits = { ofViewer: 16, anonymous: 48 }) {
  const callers = createKeyedLimit((viewer) => (viewer === "" ? limits.anonymous : limits.ofViewer));
  return (call: RawCall): RawCall =>
    (request, header, deadline) =>
      callers.run(header[viewerHeader] ?? "", () => call(request, header, deadline));
}
