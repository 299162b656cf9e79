import { freshnessKey } from "../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import { beforeDeadline } from "../http/limits/deadline.ts";
import type { TokenRefresh } from "./token-refresh.ts";
import type { AskedToken, TokenSource } from "./token-source.ts";

/**
 * Stores the tokens of subjects under leases, as far as this process gets them. Resolves once it has tried to take the leases, with
 * the keys of which no reader can find an older token: this process took the lease when no token was stored. The tokens are stored
 * later, when the service has answered. Never rejects.
 */
export type FillTokens = (keys: readonly string[]) => Promise<Set<string>>;

/** @param freshnessMs milliseconds of a lease */
export function createTokenFiller(
  tokenStore: LeasedValues,
  source: TokenSource,
  freshnessMs: number,
  notes: Pick<TokenRefresh, "forget" | "noteStored">,
): FillTokens {
  /** Subject keys whose lease this process holds or is taking, so that its other readers do not try to take it. */
  const filling = new Set<string>();
  return async (wanted) => {
    const start = performance.now();
    const keys = wanted.filter((key) => !filling.has(key));
    if (keys.length === 0) return new Set();
    for (const key of keys) filling.add(key);
    const leases = await tokenStore.lease(keys.map(freshnessKey), freshnessMs).catch(() => []);
    const held: { key: string; lease: string }[] = [];
    const unread = new Set<string>();
    for (const [index, key] of keys.entries()) {
      const lease = leases[index];
      if (lease === undefined) notes.forget(key);
      else held.push({ key, lease: lease.id });
      if (lease?.isOverValue === false) unread.add(key);
    }
    const heldKeys = held.map(({ key }) => key);
    // An answer after the lease's end cannot be stored, and other processes may take the lease then.
    const end = start + freshnessMs;
    void beforeDeadline(end, source.ask(heldKeys, end))
      .then(async (asked) => {
        if (!source.mayStore() || held.length === 0) return;
        await tokenStore.fill(
          held.map(({ key, lease }, index) => ({
            key: freshnessKey(key),
            lease,
            value: valueOf(asked[index] as AskedToken),
          })),
        );
        notes.noteStored(heldKeys, start);
      })
      // Ignored here: the readers' own call fails as well, and leases end by themselves.
      .catch(() => {})
      .finally(() => keys.forEach((key) => void filling.delete(key)));
    return unread;
  };
}

/** The stored form of a token. */
function valueOf({ token, tick }: AskedToken): string {
  return `${tick} ${token}`;
}
