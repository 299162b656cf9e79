import { originKey } from "./plan-import.ts";

/** Which ids are free for a status of an author that would have the id `first`. */
export interface FreeIds {
  authorId: bigint;
  first: bigint;
  isFirstFree: boolean;
  /** From this id on there are as many free ids as were asked for. */
  start: bigint;
}

/** An id for each status, by originKey: its first, else the next from `start` on that no earlier one got. */
export function freeIds(
  wanted: readonly { authorId: bigint; originId: string; first: bigint }[],
  free: readonly FreeIds[],
): Map<string, bigint> {
  const freeByFirst = new Map(free.map((ids) => [firstKey(ids), ids]));
  /** For each id that was given out, a later one from which to continue the search. */
  const next = new Map<string, bigint>();
  const ids = new Map<string, bigint>();
  for (const status of wanted) {
    const { authorId, first } = status;
    const key = firstKey(status);
    const { isFirstFree, start } = freeByFirst.get(key) as FreeIds;
    const getsFirst = isFirstFree && !next.has(key);
    const id = getsFirst ? first : skipGiven(next, authorId, start);
    next.set(getsFirst ? key : firstKey({ authorId, first: id }), id + 1n);
    ids.set(originKey(status), id);
  }
  return ids;
}

function firstKey({ authorId, first }: { authorId: bigint; first: bigint }): string {
  return `${authorId}:${first}`;
}

/**
 * The next id that was not given out. Afterwards all skipped ids point past the result, so that a thousand statuses of one second
 * take a thousand steps.
 */
function skipGiven(next: Map<string, bigint>, authorId: bigint, start: bigint): bigint {
  const passed: string[] = [];
  let id = start;
  for (;;) {
    const key = firstKey({ authorId, first: id });
    const further = next.get(key);
    if (further === undefined) break;
    passed.push(key);
    id = further;
  }
  for (const key of passed) next.set(key, id);
  return id;
}
