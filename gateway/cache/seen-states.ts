import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";

/** A state that a reply is about to show, which did not come from Redis but from the service itself. */
export interface SeenState {
  nameKey: string;
  token: FreshnessToken;
}

/** Resolves when no reader of any gateway goes back behind these states, as far as Redis answers. */
export type NoteSeen = (seen: readonly SeenState[]) => Promise<void>;

/**
 * What others count changes without dropping a token. So a reply that comes from the service may be newer than the token that
 * all gateways go by, or than the one that a gateway is about to put there; the next reader would see the older state again
 * (contract §8.4).
 */
export function createSeenStates(kept: LeasedValues | undefined): NoteSeen {
  return async (seen) => {
    if (kept === undefined || seen.length === 0) return;
    await kept.raise(seen.map(({ nameKey, token }) => ({ key: freshnessKey(nameKey), state: token }))).catch(() => {});
  };
}
