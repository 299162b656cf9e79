import { Code, ConnectError } from "@connectrpc/connect";
import type { BatchValues } from "./batcher.ts";

/**
 * Asks for a list of items. A list that the service refuses is asked for again in halves, down to single items, so that
 * a bad item fails only for its own callers. Never rejects: where `call` fails, the values of its items reject, and those of other
 * lists of the same batch do not.
 */
export async function askList<T, V>(
  items: readonly T[],
  call: (items: readonly T[]) => Promise<BatchValues<V>>,
): Promise<BatchValues<V>> {
  try {
    return await call(items);
  } catch (error) {
    if (items.length === 1 || !isDivisible(error)) return items.map(() => rejected(error));
    const middle = items.length >> 1;
    const halves = [items.slice(0, middle), items.slice(middle)];
    return (await Promise.all(halves.map((half) => askList(half, call)))).flat();
  }
}

/** Codes that refuse the list: a part of it may succeed. */
const divisible: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.OutOfRange,
  Code.FailedPrecondition,
  Code.NotFound,
]);

function isDivisible(error: unknown): boolean {
  return error instanceof ConnectError && divisible.has(error.code);
}

/** A rejected promise that may be awaited later or never, so it must not count as unhandled. */
function rejected(error: unknown): Promise<never> {
  const failure = Promise.reject(error);
  failure.catch(() => {});
  return failure;
}
