import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";

/**
 * Makes a call that may safely be repeated, and repeats it up to five times when the connection is refused or dropped,
 * waiting longer each time (7.5 s in all: what a restart of a service takes).
 * @throws the last failure, or at once any other one.
 */
export async function withRetries<T>(call: () => Promise<T>, wait: Wait = sleep): Promise<T> {
  for (const pause of pauses) {
    try {
      return await call();
    } catch (error) {
      if (!passing.has(ConnectError.from(error).code)) throw error;
      await wait(pause);
    }
  }
  return call();
}

/** Waits some milliseconds. */
export type Wait = (ms: number) => Promise<unknown>;

const pauses = [250, 500, 1_000, 2_000, 3_750];

// A refused connection is Unavailable, a reset one Aborted.
const passing = new Set([Code.Unavailable, Code.Aborted]);
