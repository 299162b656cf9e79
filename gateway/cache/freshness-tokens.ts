import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import type { ClockReader } from "../../services/platform/redis/logical-clock.ts";
import { beforeDeadline, type Deadline } from "../http/limits/deadline.ts";
import { type Ask, type BatchValues, createBatcher } from "./batcher.ts";
import { createSeenStates, type NoteSeen } from "./seen-states.ts";
import { createRenewals } from "./token-refresh.ts";
import { type AskedToken, createTokenSource, type SourceOptions } from "./token-source.ts";

/** The state that a user is in, as its name; never older than the question, but for what others count (design §5). */
export type FreshnessToken = string;

/** The token of a name to which nobody answers. */
export const nobody: FreshnessToken = "nobody";

export interface TokenReaderOptions extends SourceOptions {
  /** Where tokens are kept for a while; undefined: nowhere, each is asked of the service. */
  kept: LeasedValues | undefined;
}

export interface TokenReader {
  /** The tokens of name keys: from Redis where they are kept, else from the social service. Rejects with ConnectError. */
  tokensOf: Ask<FreshnessToken>;
  noteSeen: NoteSeen;
}

export function createTokenReader(options: TokenReaderOptions): TokenReader {
  const { kept, clock, freshnessMs, counts } = options;
  const source = createTokenSource(options);
  const noteSeen = createSeenStates(kept, source);
  if (kept === undefined || clock === undefined) return { tokensOf: source.askAnnounced, noteSeen };
  /** What we hold a lease for, or are about to: on a slow machine reader after reader would try to take it again. */
  const filling = new Set<string>();
  const renewals = createRenewals(freshnessMs, (keys) => {
    counts.batches.renew.observe(keys.length);
    void fill(kept, keys);
  });
  const read = (keys: string[], deadline: Deadline) =>
    source.isKept() ? readKept(kept, clock, keys, deadline) : source.askAnnounced(keys, deadline);
  // A read costs too little to wait for another.
  return { tokensOf: createBatcher(read, { maxConcurrent: Number.POSITIVE_INFINITY }), noteSeen };

  /** Asks the service, and sees to it that no later reader gets older tokens. */
  async function askAndNote(keys: readonly string[], deadline: Deadline, except: ReadonlySet<string>) {
    const tokens = (await source.ask(keys, deadline)).map(({ token }) => token);
    const seen = keys.map((nameKey, index) => ({ nameKey, token: tokens[index] as FreshnessToken }));
    const others = seen.filter(({ nameKey }) => !except.has(nameKey));
    await noteSeen(others, deadline);
    return tokens;
  }

  async function readKept(
    kept: LeasedValues,
    clock: Pick<ClockReader, "isRecent">,
    keys: string[],
    deadline: Deadline,
  ): Promise<BatchValues<FreshnessToken>> {
    counts.batches.read.observe(keys.length);
    const values = await kept.read(keys.map(freshnessKey)).catch(() => undefined);
    if (values === undefined) return source.askAnnounced(keys, deadline);
    const found = values.map((value) => (value === undefined ? undefined : tokenOf(value, clock)));
    const missing = keys.filter((_, index) => found[index] === undefined);
    counts.tokens.redis.hit.value += keys.length - missing.length;
    counts.tokens.redis.miss.value += missing.length;
    for (const [index, key] of keys.entries()) {
      const token = found[index];
      if (token === undefined) continue;
      renewals.read(key);
      source.announced.set(key, token);
    }
    if (missing.length === 0) return found as FreshnessToken[];
    // Whoever holds the lease may have asked before we came: we ask for ourselves.
    const asked = fill(kept, missing).then((held) => askAndNote(missing, deadline, held));
    let next = 0;
    return found.map((token) => token ?? nth(asked, next++));
  }

  /**
   * Takes leases, and resolves when that was tried, with the keys of which we hold one: what the service answers after it, to
   * us and to who asks in the same turn, is kept under it.
   */
  async function fill(kept: LeasedValues, wanted: readonly string[]): Promise<Set<string>> {
    const start = performance.now();
    const keys = wanted.filter((key) => !filling.has(key));
    if (keys.length === 0) return new Set();
    for (const key of keys) filling.add(key);
    const leases = await kept.lease(keys.map(freshnessKey), freshnessMs).catch(() => []);
    const held: { key: string; lease: string }[] = [];
    for (const [index, key] of keys.entries()) {
      const lease = leases[index];
      if (lease === undefined) renewals.leave(key);
      else held.push({ key, lease });
    }
    const heldKeys = held.map(({ key }) => key);
    // When the lease has ended the answer is of no use, and others may take one.
    const end = start + freshnessMs;
    void beforeDeadline(end, source.ask(heldKeys, end))
      .then(async (asked) => {
        if (!source.isKept() || held.length === 0) return;
        await kept.fill(
          held.map(({ key, lease }, index) => ({
            key: freshnessKey(key),
            lease,
            value: valueOf(asked[index] as AskedToken),
          })),
        );
        renewals.put(heldKeys, start);
      })
      // The readers hear of it, and leases end by themselves.
      .catch(() => {})
      .finally(() => keys.forEach((key) => void filling.delete(key)));
    return new Set(heldKeys);
  }
}

/** How a token is kept. */
function valueOf({ token, tick }: AskedToken): string {
  return `${tick} ${token}`;
}

/** The token of a kept value; undefined when it is too old, whatever Redis says of its time, or of another Redis. */
function tokenOf(value: string, clock: Pick<ClockReader, "isRecent">): FreshnessToken | undefined {
  const end = value.indexOf(" ");
  return clock.isRecent(value.slice(0, end)) ? value.slice(end + 1) : undefined;
}

async function nth<V>(list: Promise<readonly V[]>, index: number): Promise<V> {
  return (await list)[index] as V;
}
