import { Code, ConnectError } from "@connectrpc/connect";
import type { BatchValues } from "./batcher.ts";

/**
 * Asks for a list of items. A list that the service refuses is asked again in halves, down to single items, so that only
 * what is wrong with an item fails, and only for its own callers. Rejects as `call` does for every other reason.
 */
export async function askList<T, V>(
  items: readonly T[],
  call: (items: readonly T[]) => Promise<BatchValues<V>>,
): Promise<BatchValues<V>> {
  try {
    return await call(items);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (items.length === 1) return [rejected(error)];
    const middle = items.length >> 1;
    const halves = [items.slice(0, middle), items.slice(middle)];
    return (await Promise.all(halves.map((half) => askList(half, call)))).flat();
  }
}

/** What a service says of the request itself, so that another one may succeed. */
const refusals: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.OutOfRange,
  Code.FailedPrecondition,
  Code.NotFound,
]);

function isRefusal(error: unknown): boolean {
  return error instanceof ConnectError && refusals.has(error.code);
}

/** A failure that is awaited later, or never. */
function rejected(error: unknown): Promise<never> {
  const failure = Promise.reject(error);
  failure.catch(() => {});
  return failure;
}
