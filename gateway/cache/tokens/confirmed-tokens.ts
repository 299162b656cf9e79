import type { RedisConnection } from "../../../services/platform/redis/connection.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import type { RememberedStates } from "../../http/replies/reply-loaders.ts";
import type { Batcher } from "../batches/batcher.ts";
import type { LayerCounts } from "../cache-metrics.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import type { RememberedToken, RememberedTokens } from "./remembered-tokens.ts";
import type { TokenList, TokensOf } from "./token-lists.ts";

/** Tokens that need not be read from Redis again, and the connection on which Redis reports those that have changed. */
export interface TokenMemory {
  /** All are forgotten when Redis has not confirmed them. */
  tokens: RememberedTokens;
  /** Milliseconds for which a token that another process stores is remembered at most: when it was asked for is not known. */
  maxAgeMs: number;
  redis: Pick<RedisConnection, "confirm" | "reportsChanges">;
}

/** What all lists of confirmed tokens share. */
interface ConfirmedSource {
  tokens: Pick<RememberedTokens, "find">;
  redis: Pick<RedisConnection, "reportsChanges">;
  /** Whether tokens in Redis may be used. */
  mayStore(): boolean;
  /** Remembers what it has read from Redis, and forgets all tokens when Redis has not answered; a batch without keys confirms. */
  read: Batcher<FreshnessToken>;
  counts: LayerCounts;
}

/**
 * Lists of remembered tokens, which may be used once Redis has confirmed that they did not change: one command for all requests of a batch,
 * however many tokens they need. Tokens that are not remembered are read, which confirms the others as well. Reads reject as `read` does.
 */
export function confirmedTokens(source: ConfirmedSource): TokensOf {
  return (subjectKeys) => new ConfirmedList(source, subjectKeys);
}

class ConfirmedList implements TokenList {
  readonly #source: ConfirmedSource;
  readonly #keys: readonly string[];
  /** The remembered tokens; undefined for those that are not remembered. */
  readonly #entries: (RememberedToken | undefined)[];
  #tokens: FreshnessToken[];
  /** Whether a caller has the array of tokens, which must not change then. */
  #isGiven = false;

  constructor(source: ConfirmedSource, keys: readonly string[]) {
    this.#source = source;
    this.#keys = keys;
    // Made with their final length: an array that grows reserves room for sixteen more elements.
    this.#entries = keys.map(() => undefined);
    this.#tokens = keys.map(() => "");
  }

  confirm(deadline: Deadline, others?: RememberedStates): Promise<unknown> | undefined {
    const { counts, read } = this.#source;
    // A reply without subjects is always loaded.
    if (this.#keys.length === 0 || this.remembered() === undefined) return undefined;
    const confirmed = others === undefined ? read.join(deadline) : others.confirm(deadline);
    if (confirmed !== undefined) counts.hit.value += this.#keys.length;
    return confirmed;
  }

  remembered(): readonly FreshnessToken[] | undefined {
    return this.#mayUse() && this.#update().length === 0 ? this.#give() : undefined;
  }

  async read(deadline: Deadline): Promise<readonly FreshnessToken[]> {
    const keys = this.#keys;
    const { counts, read } = this.#source;
    if (keys.length === 0 || !this.#mayUse()) return read(keys, deadline);
    const missing = this.#update();
    counts.hit.value += keys.length - missing.length;
    counts.miss.value += missing.length;
    let found: readonly FreshnessToken[] = [];
    if (missing.length === 0) await read.join(deadline);
    else found = await read(keysAt(missing, keys), deadline);
    let next = 0;
    for (const index of this.#update()) {
      while ((missing[next] ?? index) < index) next++;
      const token = missing[next] === index ? found[next] : undefined;
      // The token changed during the read.
      if (token === undefined) return read(keys, deadline);
      this.#show(index, token);
    }
    return this.#give();
  }

  /** Whether remembered tokens may be used. */
  #mayUse(): boolean {
    const { mayStore, redis } = this.#source;
    return redis.reportsChanges() && mayStore();
  }

  /** Updates the list to what is remembered now. Returns the indexes of the keys that are not remembered. */
  #update(): number[] {
    const now = performance.now();
    const missing: number[] = [];
    for (let index = 0; index < this.#keys.length; index++) {
      if (useValid(this.#entries[index], now) !== undefined) continue;
      const entry = useValid(this.#source.tokens.find(this.#keys[index] as string), now);
      if (entry === undefined) missing.push(index);
      else this.#show(index, entry.token, entry);
    }
    return missing;
  }

  #show(index: number, token: FreshnessToken, entry?: RememberedToken): void {
    this.#entries[index] = entry;
    if (token === this.#tokens[index]) return;
    if (this.#isGiven) this.#tokens = [...this.#tokens];
    this.#isGiven = false;
    this.#tokens[index] = token;
  }

  #give(): readonly FreshnessToken[] {
    this.#isGiven = true;
    return this.#tokens;
  }
}

/** The entry, if it is still valid; marks it as used, so that the next sweep keeps it. */
function useValid(entry: RememberedToken | undefined, now: number): RememberedToken | undefined {
  if (entry === undefined || now > entry.until) return undefined;
  entry.isUsed = true;
  return entry;
}

function keysAt(indexes: readonly number[], keys: readonly string[]): string[] {
  return indexes.map((index) => keys[index] as string);
}
