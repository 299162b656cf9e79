import { originKey } from "./plan-import.ts";

/**
 * The first free number from `first` on for each status, by originKey. `used` holds what is taken as "author id:id".
 */
export function freeIds(
  wanted: readonly { authorId: bigint; originId: string; first: bigint }[],
  used: ReadonlySet<string>,
): Map<string, bigint> {
  const taken = new Set(used);
  const ids = new Map<string, bigint>();
  for (const status of wanted) {
    let id = status.first;
    while (taken.has(`${status.authorId}:${id}`)) id += 1n;
    taken.add(`${status.authorId}:${id}`);
    ids.set(originKey(status), id);
  }
  return ids;
}
