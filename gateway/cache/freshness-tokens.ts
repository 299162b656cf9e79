import type { Client } from "@connectrpc/connect";
import type { FreshnessService } from "../../proto/gen/social/v1/freshness_service_pb.ts";
import type { Log } from "../../services/platform/log.ts";
import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import { type LeasedValues, leased } from "../../services/platform/redis/leased-values.ts";
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
}

/** Reads the token of a name key: from Redis where it is kept, else from the social service. Rejects with ConnectError. */
export function createTokenReader({ service, kept, freshnessMs, log }: TokenSources): Ask<FreshnessToken> {
  // What the service said last: until it has promised to drop changed tokens for as long as we keep them, we keep none.
  let mayKeep = false;
  const ask = nextFlight(askService, () => (mayKeep ? gatherMs : 0));
  return kept === undefined ? ask : nextFlight((keys) => (mayKeep ? readKept(kept, keys) : askAll(keys)));

  async function askService(keys: string[]): Promise<Map<string, FreshnessToken>> {
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
    const found = await kept.read(keys.map(freshnessKey)).catch(() => undefined);
    if (found === undefined) return askAll(keys);
    const answers = new Map<string, FreshnessToken | Promise<FreshnessToken>>();
    const missing: string[] = [];
    keys.forEach((key, index) => {
      const value = found[index];
      if (value === undefined) missing.push(key);
      // Whoever holds the lease may have asked before we came: we ask for ourselves, and put nothing in its place.
      else answers.set(key, value === leased ? ask(key) : value);
    });
    if (missing.length > 0) {
      const leases = kept.lease(missing.map(freshnessKey), freshnessMs).catch(() => undefined);
      for (const key of missing) {
        answers.set(
          key,
          leases.then(() => ask(key)),
        );
      }
      void fill(kept, missing, leases, answers);
    }
    return answers;
  }

  /** Puts the answers in the place of our leases. Nobody waits for it, and if it fails the leases end by themselves. */
  async function fill(
    kept: LeasedValues,
    keys: readonly string[],
    leases: Promise<(string | undefined)[] | undefined>,
    answers: ReadonlyMap<string, FreshnessToken | Promise<FreshnessToken>>,
  ): Promise<void> {
    const held = await leases;
    if (held === undefined) return;
    try {
      const values = await Promise.all(
        keys.map(async (key, index) => ({
          key: freshnessKey(key),
          lease: held[index] ?? "",
          value: (await answers.get(key)) ?? "",
        })),
      );
      if (mayKeep) await kept.fill(values.filter(({ lease }) => lease !== ""));
    } catch {
      // The readers hear of it.
    }
  }
}

/** Milliseconds: with tokens in Redis few have to be asked for, and a call for each would cost more than they do. */
const gatherMs = 2;
