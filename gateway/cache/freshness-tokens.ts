import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import type { ClockReader } from "../../services/platform/redis/logical-clock.ts";
import type { Deadline } from "../http/limits/deadline.ts";
import { type Ask, type BatchValues, createBatcher } from "./batcher.ts";
import { createTokenFiller } from "./fill-tokens.ts";
import { createSeenStates, type NoteSeen } from "./seen-states.ts";
import { createTokenRefresh } from "./token-refresh.ts";
import { createTokenSource, type SourceOptions } from "./token-source.ts";

/** Names a state of a subject, never one from before the token was asked for, except for counters that other users change (design §5). */
export type FreshnessToken = string;

export interface TokenReaderOptions extends SourceOptions {
  /** Stores tokens for a short time; undefined: each token is asked of the service. */
  tokenStore: LeasedValues | undefined;
}

export interface TokenReader {
  /** The tokens of subjects: from Redis where they are stored, else from their service. Rejects with ConnectError. */
  tokensOf: Ask<FreshnessToken>;
  noteSeen: NoteSeen;
}

export function createTokenReader(options: TokenReaderOptions): TokenReader {
  const { tokenStore, clock, freshnessMs, counts } = options;
  const source = createTokenSource(options);
  const noteSeen = createSeenStates(tokenStore, source);
  if (tokenStore === undefined || clock === undefined) return { tokensOf: source.askAnnounced, noteSeen };
  const refresh = createTokenRefresh(freshnessMs, (keys) => {
    counts.batches.refresh.observe(keys.length);
    void fill(keys);
  });
  const fill = createTokenFiller(tokenStore, source, freshnessMs, refresh);
  const read = (keys: string[], deadline: Deadline) =>
    source.mayStore() ? readStored(tokenStore, clock, keys, deadline) : source.askAnnounced(keys, deadline);
  // No limit: a read of Redis costs too little to wait for another one.
  return { tokensOf: createBatcher(read, { maxConcurrent: Number.POSITIVE_INFINITY }), noteSeen };

  /** Asks the service, and makes sure that no later reader gets older tokens. */
  async function askAndNote(keys: readonly string[], deadline: Deadline, except: ReadonlySet<string>) {
    const tokens = (await source.ask(keys, deadline)).map(({ token }) => token);
    const seen = keys.map((nameKey, index) => ({ nameKey, token: tokens[index] as FreshnessToken }));
    const others = seen.filter(({ nameKey }) => !except.has(nameKey));
    await noteSeen(others, deadline);
    return tokens;
  }

  async function readStored(
    tokenStore: LeasedValues,
    clock: Pick<ClockReader, "isRecent">,
    keys: string[],
    deadline: Deadline,
  ): Promise<BatchValues<FreshnessToken>> {
    counts.batches.read.observe(keys.length);
    const values = await tokenStore.read(keys.map(freshnessKey)).catch(() => undefined);
    if (values === undefined) return source.askAnnounced(keys, deadline);
    const found = values.map((value) => (value === undefined ? undefined : tokenOf(value, clock)));
    const missing = keys.filter((_, index) => found[index] === undefined);
    counts.tokens.redis.hit.value += keys.length - missing.length;
    counts.tokens.redis.miss.value += missing.length;
    for (const [index, key] of keys.entries()) {
      const token = found[index];
      if (token === undefined) continue;
      refresh.noteRead(key);
      source.announced.set(key, token);
    }
    if (missing.length === 0) return found as FreshnessToken[];
    // The lease's holder may have asked before this read began, so this read asks the service itself.
    const asked = fill(missing).then((unread) => askAndNote(missing, deadline, unread));
    let next = 0;
    return found.map((token) => token ?? nth(asked, next++));
  }
}

/** The token of a stored value; undefined when its tick is too old or of another Redis. Redis's own expiry is not relied on. */
function tokenOf(value: string, clock: Pick<ClockReader, "isRecent">): FreshnessToken | undefined {
  const end = value.indexOf(" ");
  return clock.isRecent(value.slice(0, end)) ? value.slice(end + 1) : undefined;
}

async function nth<V>(list: Promise<readonly V[]>, index: number): Promise<V> {
  return (await list)[index] as V;
}
