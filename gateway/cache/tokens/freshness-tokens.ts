import { freshnessKey } from "../../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../../services/platform/redis/leased-values.ts";
import type { ClockReader } from "../../../services/platform/redis/logical-clock.ts";
import { beforeDeadline, type Deadline } from "../../http/limits/deadline.ts";
import { type BatchValues, createBatcher } from "../batches/batcher.ts";
import { confirmedTokens, type TokenMemory } from "./confirmed-tokens.ts";
import { createTokenFiller } from "./fill-tokens.ts";
import type { ReadToken } from "./remembered-tokens.ts";
import { createRaiseTokens, type RaiseTokens } from "./seen-states.ts";
import { askedTokens, type TokensOf } from "./token-lists.ts";
import { createTokenRefresh } from "./token-refresh.ts";
import { createTokenSource, type SourceOptions, type TokenSource } from "./token-source.ts";

/** Names a state of a subject that is not older than the request for the token, except for counters that other users change (design §5). */
export type FreshnessToken = string;

export interface TokenReaderOptions extends SourceOptions {
  /** Stores tokens for a short time; undefined: the service is asked for each token. */
  tokenStore: LeasedValues | undefined;
  /** Tells whether a stored token is too old or of another Redis; undefined without Redis. */
  clock: Pick<ClockReader, "isRecent" | "recentUntil"> | undefined;
  /** Remembers tokens that were read from Redis; undefined: every token is read each time. */
  memory?: TokenMemory | undefined;
}

export interface TokenReader {
  /** The tokens of subjects: from Redis where they are stored, else from their service. */
  tokensOf: TokensOf;
  raiseTokens: RaiseTokens;
  askAnnounced: TokenSource["askAnnounced"];
}

export function createTokenReader(options: TokenReaderOptions): TokenReader {
  const { tokenStore, clock } = options;
  const source = createTokenSource(options);
  const raiseTokens = createRaiseTokens(tokenStore, source);
  const tokensOf =
    tokenStore === undefined || clock === undefined
      ? askedTokens(source.askAnnounced)
      : storedTokens({ ...options, tokenStore, clock, source, raiseTokens });
  return { tokensOf, raiseTokens, askAnnounced: source.askAnnounced };
}

interface StoredTokenOptions extends Pick<TokenReaderOptions, "freshnessMs" | "counts" | "memory"> {
  tokenStore: LeasedValues;
  clock: Pick<ClockReader, "recentUntil">;
  source: TokenSource;
  raiseTokens: RaiseTokens;
}

function storedTokens(options: StoredTokenOptions): TokensOf {
  const { tokenStore, clock, source, raiseTokens, freshnessMs, counts, memory } = options;
  // Redis may report an expiry late, so a remembered token of another process may be used for up to `maxAgeMs` too long. Tokens are stored
  // for that much less, so that counters show within `freshnessMs` all the same.
  const maxAgeMs = memory?.maxAgeMs ?? 0;
  const storedMs = Math.floor(freshnessMs - maxAgeMs);
  const refresh = createTokenRefresh(storedMs, (due) => {
    counts.batches.refresh.observe(due.length);
    const inUse = memory?.tokens.inUse(due.map(({ subjectKey }) => subjectKey)) ?? [];
    // Requests that use a remembered token do not read it from Redis.
    for (const key of inUse) refresh.noteRead(key);
    void filler.refresh(due).then(() => rememberAgain(inUse));
  });
  const filler = createTokenFiller(tokenStore, source, storedMs, refresh);
  const read = createBatcher<FreshnessToken>(
    async (keys, deadline) => (source.mayStore() ? readStored(keys, deadline) : askInstead(keys, deadline)),
    { maxConcurrent: maxReads },
  );
  return memory
    ? confirmedTokens({ ...memory, mayStore: source.mayStore, read, counts: counts.tokens.process })
    : askedTokens(read);

  /**
   * Asks the service because Redis cannot be asked. Redis then confirms nothing either, so all tokens are forgotten. The values are
   * promises, so that the next batch does not wait for them.
   */
  function askInstead(keys: string[], deadline: Deadline): Promise<FreshnessToken>[] {
    memory?.tokens.forget(null);
    const asked = source.askAnnounced(keys, deadline);
    return keys.map((_, index) => nth(asked, index));
  }

  /** Has Redis confirm what is remembered, for a batch without keys. */
  async function confirmAll(deadline: Deadline): Promise<[]> {
    const confirmed = memory?.redis.confirm().catch(() => memory.tokens.forget(null));
    if (confirmed) await beforeDeadline(deadline, confirmed);
    return [];
  }

  /** Asks the service, and makes sure that no later reader gets older tokens. */
  async function askAndNote(keys: readonly string[], deadline: Deadline) {
    const tokens = (await source.ask(keys, deadline)).map(({ token }) => token);
    const seen = keys.map((subjectKey, index) => ({ subjectKey, token: tokens[index] as FreshnessToken }));
    // Also where this process got the lease: a write may have ended the lease since, and another process may have stored an older counter.
    await raiseTokens(seen, deadline);
    return tokens;
  }

  /** Reads and remembers the valid tokens in Redis, by subject key; undefined: Redis does not answer. */
  async function readValid(keys: readonly string[], isUse: boolean): Promise<Map<string, ReadToken> | undefined> {
    counts.batches.read.observe(keys.length);
    const remember = memory?.redis.reportsChanges() ? memory.tokens.begin(isUse) : undefined;
    const start = performance.now();
    const values = await tokenStore.read(keys.map(freshnessKey)).catch(() => undefined);
    const endOf = (key: string, value: string) => {
      const askedAt = refresh.askedAt(key, value);
      return askedAt === undefined ? start + maxAgeMs : askedAt + freshnessMs;
    };
    const stored = validTokens(keys, values ?? [], clock, endOf);
    remember?.(stored);
    if (values === undefined) {
      memory?.tokens.forget(null);
      return undefined;
    }
    for (const [key, { token }] of stored) source.announced.set(key, token);
    return stored;
  }

  /**
   * Reads tokens that have just been refreshed, all at once: Redis reports them as changed, so the next request for each would wait for a
   * read otherwise. This read does not count as a use.
   */
  async function rememberAgain(keys: readonly string[]): Promise<void> {
    if (keys.length > 0 && source.mayStore()) await readValid(keys, false);
  }

  async function readStored(keys: string[], deadline: Deadline): Promise<BatchValues<FreshnessToken>> {
    if (keys.length === 0) return confirmAll(deadline);
    const stored = await beforeDeadline(deadline, readValid(keys, true));
    if (stored === undefined) return askInstead(keys, deadline);
    const found = keys.map((key) => stored.get(key)?.token);
    const missing = keys.filter((key) => !stored.has(key));
    counts.tokens.redis.hit.value += stored.size;
    counts.tokens.redis.miss.value += missing.length;
    for (const key of stored.keys()) refresh.noteRead(key);
    if (missing.length === 0) return found as FreshnessToken[];
    // The process with the lease may have asked before this read began, so this read asks the service itself.
    const asked = filler.fill(missing).then(() => askAndNote(missing, deadline));
    let next = 0;
    return found.map((token) => token ?? nth(asked, next++));
  }
}

/** Reads of Redis under way at once: with fewer reads more requests share each; with only one, busy clients waited for each other. */
const maxReads = 2;

/**
 * The stored tokens, by subject key, without those whose tick is too old or of another Redis. Redis's own expiry is not relied on.
 * @param endOf until when a stored value may be remembered, by performance.now()
 */
function validTokens(
  keys: readonly string[],
  values: readonly (string | undefined)[],
  clock: Pick<ClockReader, "recentUntil">,
  endOf: (subjectKey: string, value: string) => number,
): Map<string, ReadToken> {
  const tokens = new Map<string, ReadToken>();
  const now = performance.now();
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue;
    const key = keys[index] as string;
    const blank = value.indexOf(" ");
    const recentUntil = clock.recentUntil(value.slice(0, blank));
    if (now > recentUntil) continue;
    tokens.set(key, { token: value.slice(blank + 1), until: Math.min(recentUntil, endOf(key, value)) });
  }
  return tokens;
}

async function nth<V>(list: Promise<readonly V[]>, index: number): Promise<V> {
  return (await list)[index] as V;
}
