import { createLru } from "../platform/lru.ts";

/**
 * Which users answered to names a while ago. A statement is given such an id beside the name, so that it needs one shard only,
 * and finds nothing when the name has gone to another user meanwhile: then the name is looked up again.
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
