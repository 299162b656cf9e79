import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import type { Deadline } from "../http/limits/deadline.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import type { TokenSource } from "./token-source.ts";

/** A state that a reply is about to show, which did not come from Redis but from the service itself. */
export interface SeenState {
  nameKey: string;
  token: FreshnessToken;
}

/** Resolves when no reader of any gateway goes back behind these states. Rejects with ConnectError. */
export type NoteSeen = (seen: readonly SeenState[], deadline: Deadline) => Promise<void>;

/**
 * What others count changes without dropping a token. So a reply that comes from the service may be newer than the token that
 * all gateways go by, or than the one that a gateway is about to put there; the next reader would see the older state again
 * (contract §9). A gateway that cannot raise that token has the service drop it.
 */
export function createSeenStates(kept: LeasedValues | undefined, source: TokenSource): NoteSeen {
  async function raise(seen: readonly SeenState[]): Promise<boolean> {
    if (kept === undefined || !source.isKept()) return false;
    const states = seen.map(({ nameKey, token }) => ({ key: freshnessKey(nameKey), state: token }));
    return kept.raise(states).then(
      () => true,
      () => false,
    );
  }

  return async (seen, deadline) => {
    const unknown = seen.filter(({ nameKey, token }) => source.announced.get(nameKey) !== token);
    if (unknown.length === 0) return;
    if (await raise(unknown)) for (const { nameKey, token } of unknown) source.announced.set(nameKey, token);
    else {
      const nameKeys = unknown.map(({ nameKey }) => nameKey);
      await source.askAnnounced(nameKeys, deadline);
    }
  };
}
