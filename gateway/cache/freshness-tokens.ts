import type { Client } from "@connectrpc/connect";
import { type FreshnessService, ListTokensRequestSchema } from "../../proto/gen/social/v1/freshness_service_pb.ts";
import { inParts } from "../../services/platform/in-parts.ts";
import type { Log } from "../../services/platform/log.ts";
import { maxEntries } from "../../services/platform/max-entries.ts";
import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import { beforeDeadline, type Deadline, millisecondsUntil } from "../deadline.ts";
import { askList } from "./ask-list.ts";
import { type Ask, type BatchValues, createBatcher } from "./batcher.ts";
import type { CacheCounts } from "./cache-counts.ts";
import { createRenewals } from "./renewals.ts";
import { createSeenStates } from "./seen-states.ts";

/** The state that a user is in, as its name; never older than the question, but for what others count (design §5). */
export type FreshnessToken = string;

/** The token of a name to which nobody answers. */
export const nobody: FreshnessToken = "nobody";

export interface TokenSources {
  service: Pick<Client<typeof FreshnessService>, "listTokens">;
  /** Where tokens are kept for a while; undefined: nowhere, each is asked of the service. */
  kept: LeasedValues | undefined;
  /** Milliseconds for which a token is kept. */
  freshnessMs: number;
  log: Log;
  counts: Pick<CacheCounts, "tokens" | "batches">;
}

/** Reads the tokens of name keys: from Redis where they are kept, else from the social service. Rejects with ConnectError. */
export function createTokenReader({ service, kept, freshnessMs, log, counts }: TokenSources): Ask<FreshnessToken> {
  // What the service said last: until it has promised to drop changed tokens for as long as we keep them, we keep none.
  let mayKeep = false;
  /** What we hold a lease for, or are about to: on a slow machine reader after reader would try to take it again. */
  const filling = new Set<string>();
  const ask = createBatcher(askService, { gatherMs: () => (mayKeep ? gatherMs : 0) });
  if (kept === undefined) return ask;
  const renewals = createRenewals(freshnessMs, (keys) => {
    counts.batches.renew.note(keys.length);
    void fill(kept, keys);
  });
  const noteSeen = createSeenStates(kept);
  // A read costs too little to wait for another.
  const read = (keys: string[], deadline: Deadline) =>
    mayKeep ? readKept(kept, keys, deadline) : askAndNote(keys, deadline);
  return createBatcher(read, { maxConcurrent: Number.POSITIVE_INFINITY });

  /** Asks the service, and sees to it that no later reader gets older tokens. */
  async function askAndNote(keys: readonly string[], deadline: Deadline, except = new Set<string>()) {
    const tokens = await ask(keys, deadline);
    const seen = keys.map((nameKey, index) => ({ nameKey, token: tokens[index] as FreshnessToken }));
    await noteSeen(seen.filter(({ nameKey }) => !except.has(nameKey)));
    return tokens;
  }

  async function askService(keys: string[], deadline: Deadline): Promise<BatchValues<FreshnessToken>> {
    counts.batches.ask.note(keys.length);
    counts.tokens.made.value += keys.length;
    let keepMs = Number.POSITIVE_INFINITY;
    const list = async (names: readonly string[]) => {
      const answer = await service.listTokens({ screenNames: [...names] }, { timeoutMs: millisecondsUntil(deadline) });
      keepMs = Math.min(keepMs, answer.keepMs);
      return answer.tokens;
    };
    const tokens = (await Promise.all(inParts(keys, maxNames).map((names) => askList(names, list)))).flat();
    if (keepMs < Number.POSITIVE_INFINITY) heed(keepMs);
    return tokens;
  }

  /** Goes by what the service promised last. */
  function heed(keepMs: number): void {
    const promised = keepMs >= freshnessMs;
    if (kept !== undefined && promised !== mayKeep) {
      if (promised) log.info("keeping freshness tokens in Redis");
      else log.warn({ keepMs, freshnessMs }, "the social service does not drop tokens for that long: none are kept");
    }
    mayKeep = kept !== undefined && promised;
  }

  async function readKept(
    kept: LeasedValues,
    keys: string[],
    deadline: Deadline,
  ): Promise<BatchValues<FreshnessToken>> {
    counts.batches.read.note(keys.length);
    const found = await kept.read(keys.map(freshnessKey)).catch(() => undefined);
    if (found === undefined) return askAndNote(keys, deadline);
    const missing = keys.filter((_, index) => found[index] === undefined);
    counts.tokens.redis.hit.value += keys.length - missing.length;
    counts.tokens.redis.miss.value += missing.length;
    keys.forEach((key, index) => found[index] !== undefined && renewals.read(key));
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
    void beforeDeadline(end, ask(heldKeys, end))
      .then(async (tokens) => {
        if (!mayKeep || held.length === 0) return;
        await kept.fill(
          held.map(({ key, lease }, index) => ({
            key: freshnessKey(key),
            lease,
            value: tokens[index] as FreshnessToken,
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

async function nth<V>(list: Promise<readonly V[]>, index: number): Promise<V> {
  return (await list)[index] as V;
}

/** Names in one call; a batch of large lookups has more. */
const maxNames = maxEntries(ListTokensRequestSchema);

/** Milliseconds: with tokens in Redis few have to be asked for, and a call for each would cost more than they do. */
const gatherMs = 5;
