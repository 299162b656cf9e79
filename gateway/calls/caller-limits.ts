import pLimit, { type LimitFunction } from "p-limit";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import type { RawCall } from "./raw-call.ts";

/** How many calls may be under way at once. */
interface CallerLimits {
  ofViewer: number;
  /** All anonymous callers together. */
  anonymous: number;
}

/**
 * Bounds the calls that each caller has under way over the same connections (64, unary-transport.ts): the others of that caller wait, so
 * that one client with many slow requests delays its own, and those of others by a part of the connections only.
 * @returns what bounds a call; all that it is applied to count together
 */
export function createCallerLimits(limits: CallerLimits = { ofViewer: 16, anonymous: 48 }) {
  /** By viewer, "" for anonymous callers; while there are calls. */
  const callers = new Map<string, { limit: LimitFunction; calls: number }>();
  return (call: RawCall): RawCall =>
    async (request, header, deadline) => {
      const viewer = header[viewerHeader] ?? "";
      const caller = callers.get(viewer) ?? {
        limit: pLimit(viewer === "" ? limits.anonymous : limits.ofViewer),
        calls: 0,
      };
      callers.set(viewer, caller);
      caller.calls++;
      try {
        return await caller.limit(() => call(request, header, deadline));
      } finally {
        caller.calls--;
        if (caller.calls === 0) callers.delete(viewer);
      }
    };
}
