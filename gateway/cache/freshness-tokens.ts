import type { Client } from "@connectrpc/connect";
import {
  type FreshnessService,
  ListTokensRequestSchema,
  type ListTokensResponse,
} from "../../proto/gen/social/v1/freshness_service_pb.ts";
import { chunk } from "../../services/platform/chunk.ts";
import type { Log } from "../../services/platform/log.ts";
import { maxEntries } from "../../services/platform/max-entries.ts";
import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import type { ClockReader } from "../../services/platform/redis/logical-clock.ts";
import { beforeDeadline, type Deadline, millisecondsUntil } from "../deadline.ts";
import { askList } from "./ask-list.ts";
import { type Ask, type BatchValues, createBatcher } from "./batcher.ts";
import type { CacheCounts } from "./cache-counts.ts";
import { createKeeping } from "./keeping.ts";
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
  /** The clock in that Redis, by which a kept token is too old, or another Redis's. */
  clock: Pick<ClockReader, "isRecent"> | undefined;
  /** Milliseconds for which a token is kept. */
  freshnessMs: number;
  log: Log;
  counts: Pick<CacheCounts, "tokens" | "batches">;
}

/** Reads the tokens of name keys: from Redis where they are kept, else from the social service. Rejects with ConnectError. */
export function createTokenReader(sources: TokenSources): Ask<FreshnessToken> {
  const { service, kept, clock, freshnessMs, log, counts } = sources;
  // What the service said last: until it has promised to drop changed tokens in this Redis for as long as they are kept,
  // none are.
  const keeping = createKeeping(log, counts.tokens);
  /** What we hold a lease for, or are about to: on a slow machine reader after reader would try to take it again. */
  const filling = new Set<string>();
  const askTokens = createBatcher(askService, { gatherMs: () => (keeping.isOn() ? gatherMs : 0) });
  const ask: Ask<FreshnessToken> = async (keys, deadline) =>
    (await askTokens(keys, deadline)).map(({ token }) => token);
  if (kept === undefined || clock === undefined) return ask;
  const renewals = createRenewals(freshnessMs, (keys) => {
    counts.batches.renew.observe(keys.length);
    void fill(kept, keys);
  });
  const noteSeen = createSeenStates(kept);
  // A read costs too little to wait for another.
  const read = (keys: string[], deadline: Deadline) =>
    keeping.isOn() ? readKept(kept, clock, keys, deadline) : askAndNote(keys, deadline);
  return createBatcher(read, { maxConcurrent: Number.POSITIVE_INFINITY });

  /** Asks the service, and sees to it that no later reader gets older tokens. */
  async function askAndNote(keys: readonly string[], deadline: Deadline, except = new Set<string>()) {
    const tokens = await ask(keys, deadline);
    const seen = keys.map((nameKey, index) => ({ nameKey, token: tokens[index] as FreshnessToken }));
    await noteSeen(seen.filter(({ nameKey }) => !except.has(nameKey)));
    return tokens;
  }

  async function askService(keys: string[], deadline: Deadline): Promise<BatchValues<AskedToken>> {
    counts.batches.ask.observe(keys.length);
    counts.tokens.made.value += keys.length;
    const answers: Pick<ListTokensResponse, "keepMs" | "tick">[] = [];
    const list = async (names: readonly string[]) => {
      const answer = await service.listTokens({ screenNames: [...names] }, { timeoutMs: millisecondsUntil(deadline) });
      answers.push(answer);
      return answer.tokens.map((token) => ({ token, tick: answer.tick }));
    };
    const tokens = (await Promise.all(chunk(keys, maxNames).map((names) => askList(names, list)))).flat();
    if (clock !== undefined && answers.length > 0) heed(clock, answers);
    return tokens;
  }

  /** Goes by what the service promised last. */
  function heed(clock: Pick<ClockReader, "isRecent">, answers: Pick<ListTokensResponse, "keepMs" | "tick">[]): void {
    if (answers.some(({ keepMs }) => keepMs < freshnessMs)) {
      keeping.note("the social processes do not drop tokens for that long in one Redis");
    } else if (!answers.every(({ tick }) => clock.isRecent(tick))) {
      keeping.note("the social processes use another Redis");
    } else keeping.note("kept");
  }

  async function readKept(
    kept: LeasedValues,
    clock: Pick<ClockReader, "isRecent">,
    keys: string[],
    deadline: Deadline,
  ): Promise<BatchValues<FreshnessToken>> {
    counts.batches.read.observe(keys.length);
    const values = await kept.read(keys.map(freshnessKey)).catch(() => undefined);
    if (values === undefined) return askAndNote(keys, deadline);
    const found = values.map((value) => (value === undefined ? undefined : tokenOf(value, clock)));
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
    void beforeDeadline(end, askTokens(heldKeys, end))
      .then(async (asked) => {
        if (!keeping.isOn() || held.length === 0) return;
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

/** A token, and the tick under which the service read it. */
interface AskedToken {
  token: FreshnessToken;
  tick: string;
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

/** Names in one call; a batch of large lookups has more. */
const maxNames = maxEntries(ListTokensRequestSchema);

/** Milliseconds: with tokens in Redis few have to be asked for, and a call for each would cost more than they do. */
const gatherMs = 5;
