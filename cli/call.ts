import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { UserError } from "./errors.ts";

/**
 * A transport that repeats a call up to five times when the connection is refused or dropped, waiting longer each time (7.5 s in
 * all: what a restart of a service takes). Every call of the tool may safely be repeated. Calls fail with a UserError when the
 * service cannot be reached or refuses them.
 */
export function repeatCalls(transport: Transport, wait: (ms: number) => Promise<unknown> = sleep): Transport {
  return {
    ...transport,
    async unary(method, ...call) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await transport.unary(method, ...call);
        } catch (error) {
          const { code, message } = ConnectError.from(error);
          const pause = pausesMs[attempt];
          if (pause === undefined || !transient.has(code)) {
            throw new UserError(`${method.name} failed: ${message.replace(/\.$/, "")}.`, { cause: error });
          }
          await wait(pause);
        }
      }
    },
  };
}

const pausesMs = [250, 500, 1_000, 2_000, 3_750];

// A connection that failed is Unavailable; a write that conflicted with others is Aborted.
const transient = new Set([Code.Unavailable, Code.Aborted]);

/** Whether a failed call found nothing of the name or id that it was given. */
export function isNotFound(error: unknown): boolean {
  return isOfCode(error, Code.NotFound);
}

/** Whether a call was refused with this code. */
export function isOfCode(error: unknown, code: Code): boolean {
  return error instanceof UserError && error.cause !== undefined && ConnectError.from(error.cause).code === code;
}

/** The results of a batch call, one for each item sent. @throws UserError when they are more or fewer */
export async function resultsOf<T>(method: string, sent: number, call: Promise<{ results: T[] }>): Promise<T[]> {
  const { results } = await call;
  if (results.length === sent) return results;
  throw new UserError(`${method} answered ${results.length} results for ${sent} items.`);
}
