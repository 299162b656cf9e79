import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { UserError } from "./user-error.ts";

/**
 * Makes a call that may safely be repeated, and repeats it up to five times when the connection is refused or dropped,
 * waiting longer each time (7.5 s in all: what a restart of a service takes).
 * @throws UserError when the service cannot be reached or refuses the call.
 */
export async function callWithRetries<T>(method: string, call: () => Promise<T>, wait: Wait = sleep): Promise<T> {
  for (const pause of [...pausesMs, undefined]) {
    try {
      return await call();
    } catch (error) {
      const { code, message } = ConnectError.from(error);
      if (pause === undefined || !transient.has(code)) {
        throw new UserError(`${method} failed: ${message.replace(/\.$/, "")}.`, { cause: error });
      }
      await wait(pause);
    }
  }
  throw new Error("unreachable");
}

/** Waits some milliseconds. */
export type Wait = (ms: number) => Promise<unknown>;

const pausesMs = [250, 500, 1_000, 2_000, 3_750];

// A connection that failed is Unavailable; a write that conflicted with others is Aborted.
const transient = new Set([Code.Unavailable, Code.Aborted]);

/**
 * Makes one batch call, with retries, and returns an answer for each item sent.
 * @throws UserError when the service cannot be reached, refuses the call, or does not answer item by item.
 */
export async function callBatch<T>(
  method: string,
  sent: number,
  call: () => Promise<{ results: T[] }>,
  wait?: Wait,
): Promise<T[]> {
  const { results } = await callWithRetries(method, call, wait);
  if (results.length === sent) return results;
  throw new UserError(`${method} answered ${results.length} results for ${sent} items.`);
}
