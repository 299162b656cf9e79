import type { RedisConnection } from "../../../services/platform/redis/connection.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import type { Ask, Batcher } from "../batches/batcher.ts";
import type { LayerCounts } from "../cache-metrics.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import type { RememberedToken, RememberedTokens } from "./remembered-tokens.ts";

/** Tokens that need not be read from Redis again, and the connection on which Redis reports those that have changed. */
export interface TokenMemory {
  tokens: RememberedTokens;
  /** Milliseconds for which a token that another process stores is remembered at most: when it was asked for is not known. */
  maxAgeMs: number;
  redis: Pick<RedisConnection, "confirm" | "reportsChanges">;
}

/**
 * Answers with remembered tokens, once Redis has confirmed that they are still the same: one command for all requests of a batch, however
 * many tokens they need. Only other tokens are read, which confirms as well. Rejects as `read` does. The same long list of keys is mostly
 * answered with the same list of tokens, while they stay equal.
 * @param mayStore whether tokens in Redis count
 * @param read remembers what it has read from Redis, and forgets all tokens when Redis has not answered; a batch without keys confirms
 */
export function confirmedTokens(
  { tokens, redis }: Pick<TokenMemory, "tokens"> & { redis: Pick<RedisConnection, "reportsChanges"> },
  mayStore: () => boolean,
  read: Batcher<FreshnessToken>,
  counts: LayerCounts,
): Ask<FreshnessToken> {
  /** The list of tokens that a list of keys was answered with, by the list itself: a request that repeats asks with the same one. */
  const lists = new WeakMap<readonly string[], KnownList>();

  return (keys, deadline) => {
    if (keys.length === 0 || !redis.reportsChanges() || !mayStore()) return read(keys, deadline);
    return keys.length < minListed ? few(keys, deadline) : many(keys, deadline);
  };

  async function few(keys: readonly string[], deadline: Deadline): Promise<FreshnessToken[]> {
    const isKnown = known(keys) !== undefined;
    counts[isKnown ? "hit" : "miss"].value += keys.length;
    if (isKnown) await read.join(deadline);
    // Read if one has changed meanwhile.
    return (isKnown && known(keys)) || read(keys, deadline);
  }

  /** What is remembered of some keys, if nothing is missing. */
  function known(keys: readonly string[]): FreshnessToken[] | undefined {
    const now = performance.now();
    const found: FreshnessToken[] = [];
    for (const key of keys) {
      const entry = use(tokens.find(key), now);
      if (entry === undefined) return undefined;
      found.push(entry.token);
    }
    return found;
  }

  async function many(keys: readonly string[], deadline: Deadline): Promise<FreshnessToken[]> {
    const list = lists.get(keys) ?? { entries: [], tokens: [], isGiven: false };
    const missing = update(list, keys);
    counts.hit.value += keys.length - missing.length;
    counts.miss.value += missing.length;
    let found: readonly FreshnessToken[] = [];
    if (missing.length === 0) await read.join(deadline);
    else found = await read(keysAt(missing, keys), deadline);
    let next = 0;
    for (const index of update(list, keys)) {
      while ((missing[next] ?? index) < index) next++;
      const token = missing[next] === index ? found[next] : undefined;
      // It has changed meanwhile.
      if (token === undefined) return read(keys, deadline);
      show(list, index, token);
    }
    lists.set(keys, list);
    list.isGiven = true;
    return list.tokens;
  }

  /** Updates a list to what is remembered now. Gives the places of the keys of which nothing is. */
  function update(list: KnownList, keys: readonly string[]): number[] {
    const now = performance.now();
    const missing: number[] = [];
    for (let index = 0; index < keys.length; index++) {
      if (use(list.entries[index], now) !== undefined) continue;
      const entry = use(tokens.find(keys[index] as string), now);
      if (entry === undefined) missing.push(index);
      else show(list, index, entry.token, entry);
    }
    return missing;
  }
}

/** What is remembered, if it still counts; the sweep then leaves it. */
function use(entry: RememberedToken | undefined, now: number): RememberedToken | undefined {
  if (entry === undefined || now > entry.until) return undefined;
  entry.isUsed = true;
  return entry;
}

/** The tokens of a list of keys, and where they are remembered. */
interface KnownList {
  entries: (RememberedToken | undefined)[];
  tokens: FreshnessToken[];
  /** Whether callers hold the list of tokens. */
  isGiven: boolean;
}

function show(list: KnownList, index: number, token: FreshnessToken, entry?: RememberedToken): void {
  list.entries[index] = entry;
  if (token === list.tokens[index]) return;
  if (list.isGiven) list.tokens = [...list.tokens];
  list.isGiven = false;
  list.tokens[index] = token;
}

function keysAt(places: readonly number[], keys: readonly string[]): string[] {
  return places.map((place) => keys[place] as string);
}

/** Keys of a list that is worth knowing again. */
const minListed = 8;
