import { freshnessKey } from "../../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../../services/platform/redis/leased-values.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import type { TokenSource } from "./token-source.ts";

/** A state that a reply is about to show, which did not come from Redis but from the service itself. */
export interface SeenState {
  subjectKey: string;
  token: FreshnessToken;
}

/** Resolves when no gateway answers a later read with an older state than these. Rejects with ConnectError. */
export type NoteSeen = (seen: readonly SeenState[], deadline: Deadline) => Promise<void>;

/**
 * Counters that other users change do not drop a token. So a reply of the service may show a newer state than the token in
 * Redis, or than the one that a gateway is about to store; the next reader would see the older state again (contract §8.4).
 * Therefore the gateway raises the token in Redis to the state it saw; where it cannot, it has the service drop the token.
 */
export function createSeenStates(tokenStore: LeasedValues | undefined, source: TokenSource): NoteSeen {
  async function raise(seen: readonly SeenState[]): Promise<boolean> {
    if (tokenStore === undefined || !source.mayStore()) return false;
    const states = seen.map(({ subjectKey, token }) => ({ key: freshnessKey(subjectKey), state: token }));
    return tokenStore.raise(states).then(
      () => true,
      () => false,
    );
  }

  return async (seen, deadline) => {
    const unknown = seen.filter(({ subjectKey, token }) => source.announced.get(subjectKey) !== token);
    if (unknown.length === 0) return;
    if (await raise(unknown)) for (const { subjectKey, token } of unknown) source.announced.set(subjectKey, token);
    else {
      const subjectKeys = unknown.map(({ subjectKey }) => subjectKey);
      await source.askAnnounced(subjectKeys, deadline);
    }
  };
}
