import { idDistance, idEpoch, ownId } from "../../platform/rules/ids.ts";
import { originKey } from "./plan-import.ts";

/**
 * The first id to try for an imported status: its own if that was an id of a system like this one, else one of its original time
 * (design §4). Its last bits depend on the author and not on a sequence, so that the same import into an empty system gives the same
 * ids, and statuses of one moment stay in order.
 * @param node of this system's ids, 0 to 31
 */
export function importedId(
  origin: string,
  { authorId, originId, createdAt }: { authorId: bigint; originId: string; createdAt: Date },
  node: bigint,
): bigint {
  const own = ownId(originId, createdAt);
  if (own !== undefined) return own;
  const milliseconds = importedTime(origin, originId, createdAt).getTime() - idEpoch;
  return idDistance(milliseconds) | (node << 7n) | (authorId & 127n);
}

/**
 * When an imported status was written, in milliseconds where its id says so: Twitter's ids do ("snowflake", milliseconds since
 * 2010-11-04T01:42:54.657Z above 22 other bits). Dates in files have whole seconds.
 */
export function importedTime(origin: string, originId: string, createdAt: Date): Date {
  if (!snowflakes.has(origin) || !/^\d{10,19}$/.test(originId)) return createdAt;
  const milliseconds = Number(BigInt(originId) >> 22n) + twitterEpoch;
  const isThatSecond = Math.floor(milliseconds / 1_000) * 1_000 === createdAt.getTime();
  return isThatSecond ? new Date(milliseconds) : createdAt;
}

const snowflakes = new Set(["twitter", "sample"]);
const twitterEpoch = 1_288_834_974_657;

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
