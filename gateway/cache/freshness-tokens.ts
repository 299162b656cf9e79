import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { FreshnessService } from "../../proto/gen/social/v1/freshness_service_pb.ts";
import type { Log } from "../../services/platform/log.ts";
import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import type { CacheCounts } from "./cache-counts.ts";
import { type Ask, nextFlight } from "./next-flight.ts";

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
  counts: Pick<CacheCounts, "tokens" | "flights">;
}

/** Reads the token of a name key: from Redis where it is kept, else from the social service. Rejects with ConnectError. */
export function createTokenReader({ service, kept, freshnessMs, log, counts }: TokenSources): Ask<FreshnessToken> {
  // What the service said last: until it has promised to drop changed tokens for as long as we keep them, we keep none.
  let mayKeep = false;
  /** When a token that we put there is to be asked for again, by its name key; milliseconds. Whoever put it renews it. */
  const dueTimes = new LRUCache<string, number>({ max: 50_000 });
  /** What we hold a lease for, or are about to: on a slow machine reader after reader would try to take it again. */
  const filling = new Set<string>();
  const ask = nextFlight(askService, () => (mayKeep ? gatherMs : 0));
  if (kept === undefined) return ask;
  const renew = nextFlight<void>(
    (keys) => {
      counts.flights.renew.note(keys.length);
      return fill(kept, keys).then(() => new Map());
    },
    () => renewalGatherMs,
  );
  return nextFlight((keys) => (mayKeep ? readKept(kept, keys) : askAll(keys)));

  async function askService(keys: string[]): Promise<Map<string, FreshnessToken>> {
    counts.flights.ask.note(keys.length);
    counts.tokens.made.value += keys.length;
    const { tokens, keepMs } = await service.listTokens({ screenNames: keys });
    const promised = keepMs >= freshnessMs;
    if (kept !== undefined && promised !== mayKeep) {
      if (promised) log.info("keeping freshness tokens in Redis");
      else log.warn({ keepMs, freshnessMs }, "the social service does not drop tokens for that long: none are kept");
    }
    mayKeep = kept !== undefined && promised;
    return new Map(keys.map((key, index) => [key, tokens[index] as FreshnessToken]));
  }

  function askAll(keys: readonly string[]): Promise<Map<string, Promise<FreshnessToken>>> {
    return Promise.resolve(new Map(keys.map((key) => [key, ask(key)])));
  }

  async function readKept(kept: LeasedValues, keys: string[]) {
    counts.flights.read.note(keys.length);
    const found = await kept.read(keys.map(freshnessKey)).catch(() => undefined);
    if (found === undefined) return askAll(keys);
    const answers = new Map<string, FreshnessToken | Promise<FreshnessToken>>();
    const missing: string[] = [];
    keys.forEach((key, index) => {
      const value = found[index];
      if (value === undefined) missing.push(key);
      else {
        answers.set(key, value);
        if (isDue(key)) void renew(key);
      }
    });
    counts.tokens.redis.hit.value += keys.length - missing.length;
    counts.tokens.redis.miss.value += missing.length;
    if (missing.length > 0) {
      const leases = fill(kept, missing);
      // Whoever holds the lease may have asked before we came: we ask for ourselves.
      for (const key of missing) {
        answers.set(
          key,
          leases.then(() => ask(key)),
        );
      }
    }
    return answers;
  }

  function isDue(key: string): boolean {
    const due = dueTimes.get(key);
    return due !== undefined && due <= performance.now() && dueTimes.delete(key);
  }

  /** Takes leases, and resolves when that was tried; what the service answers after it is kept where we hold one. */
  async function fill(kept: LeasedValues, wanted: readonly string[]): Promise<void> {
    const due = performance.now() + freshnessMs * renewedAfter;
    const keys = wanted.filter((key) => !filling.has(key));
    if (keys.length === 0) return;
    for (const key of keys) filling.add(key);
    const leases = await kept.lease(keys.map(freshnessKey), freshnessMs).catch(() => []);
    const held = keys.flatMap((key, index) => {
      const lease = leases[index];
      return lease === undefined ? [] : [{ nameKey: key, key: freshnessKey(key), lease, answer: ask(key) }];
    });
    void Promise.all(held.map(async ({ key, lease, answer }) => ({ key, lease, value: await answer })))
      .then(async (values) => {
        if (!mayKeep || values.length === 0) return;
        await kept.fill(values);
        for (const { nameKey } of held) dueTimes.set(nameKey, due);
      })
      // The readers hear of it, and leases end by themselves.
      .catch(() => {})
      .finally(() => keys.forEach((key) => void filling.delete(key)));
  }
}

/**
 * The part of its time after which a kept token that is read is asked for again, so that those who read it all the time
 * never find it gone.
 */
const renewedAfter = 0.7;

/** Milliseconds: nobody waits for a renewal, and a call for each would cost more than they do. */
const renewalGatherMs = 50;

/** Milliseconds: with tokens in Redis few have to be asked for, and a call for each would cost more than they do. */
const gatherMs = 5;
