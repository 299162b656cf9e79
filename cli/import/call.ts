import { ConnectError } from "@connectrpc/connect";
import { type Wait, withRetries } from "../retry.ts";

/** An import that had to stop half-way, in words for the operator. */
export class ImportStopped extends Error {
  override name = "ImportStopped";
}

/**
 * Makes a call that may be repeated, with retries.
 * @throws ImportStopped when the service cannot be reached or refuses the call.
 */
export async function callOnce<T>(method: string, call: () => Promise<T>, wait?: Wait): Promise<T> {
  return await withRetries(call, wait).catch((error: unknown) => {
    throw new ImportStopped(`${method} failed: ${ConnectError.from(error).message}. ${resumable}`, { cause: error });
  });
}

/**
 * Makes one batch call, with retries, and hands back an answer for each item sent.
 * @throws ImportStopped when the service cannot be reached, refuses the call, or does not answer item by item.
 */
export async function callBatch<T>(
  method: string,
  sent: number,
  call: () => Promise<{ results: T[] }>,
  wait?: Wait,
): Promise<T[]> {
  const { results } = await callOnce(method, call, wait);
  if (results.length === sent) return results;
  throw new ImportStopped(`${method} answered ${results.length} results for ${sent} items. ${resumable}`);
}

const resumable = "What was sent before is stored; the same import can simply be run again.";
