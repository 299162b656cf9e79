import { createLru } from "../platform/lru.ts";

/**
 * The user ids under which names were found lately. With such an id a statement needs only one shard. If the name belongs to another
 * user by now, the statement finds nothing, and the name is looked up again.
 */
export interface KnownIds {
  find(nameKey: string): bigint | undefined;
  store(nameKey: string, userId: bigint): void;
}

/** The last 100,000 names that were looked up; about 20 MB. */
export function createKnownIds(): KnownIds {
  const ids = createLru<bigint>(100_000);
  return {
    find: (nameKey) => ids.get(nameKey),
    store: (nameKey, userId) => void ids.set(nameKey, userId),
  };
}
