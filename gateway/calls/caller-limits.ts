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
 * Limits the calls that each caller has under way over the same connections (64, services/platform/connect/client.ts). Further calls of that caller wait, so
 * that a client with many slow requests can use only a part of the connections. Viewers who share a load (load-once.ts) wait with the
 * viewer who began it.
 * @returns applies the limit to a call; all calls to which it is applied count together
 */
export function createCallerLimits(limits: CallerLimits = { ofViewer: 16, anonymous: 48 }) {
  const callers = createKeyedLimit((viewerId) => (viewerId === "" ? limits.anonymous : limits.ofViewer));
  return (call: RawCall): RawCall =>
    (request, header, deadline) =>
      callers.run(header[viewerHeader] ?? "", () => call(request, header, deadline));
}
