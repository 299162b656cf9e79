import { freshnessKey } from "../../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../../services/platform/redis/leased-values.ts";
import { beforeDeadline, type Deadline } from "../../http/limits/deadline.ts";
import type { DueToken, TokenRefresh } from "./token-refresh.ts";
import type { AskedToken, TokenSource } from "./token-source.ts";

/** Stores tokens in Redis. */
export interface TokenFiller {
  /**
   * Takes leases, and stores the tokens when the service has answered. Resolves before that, once it has tried to take the leases. Never
   * rejects.
   */
  fill(keys: readonly string[]): Promise<void>;
  /** Replaces tokens that this process stored by new ones, where they are still stored. Never rejects. */
  refresh(stored: readonly DueToken[]): Promise<void>;
}

/** @param storedMs milliseconds for which a token is stored, and for which a lease lasts */
export function createTokenFiller(
  tokenStore: LeasedValues,
  source: TokenSource,
  storedMs: number,
  notes: Pick<TokenRefresh, "forget" | "noteStored">,
): TokenFiller {
  /** Subject keys whose lease this process has or is taking, so that its other readers do not try to take it. */
  const filling = new Set<string>();

  /** Asks the service for tokens that can be stored until `end`; none when it does not answer in time or they may not be stored. */
  async function valuesOf(keys: readonly string[], end: Deadline): Promise<string[]> {
    const asked = await beforeDeadline(end, source.ask(keys, end));
    return source.mayStore() ? asked.map(valueOf) : [];
  }

  async function store(leased: readonly { subjectKey: string; lease: string }[], start: number): Promise<void> {
    // An answer after the lease's end cannot be stored, and other processes may take the lease then.
    const values = await valuesOf(
      leased.map(({ subjectKey }) => subjectKey),
      start + storedMs,
    );
    if (values.length === 0) return;
    const filled = leased.map((one, index) => ({
      ...one,
      key: freshnessKey(one.subjectKey),
      value: values[index] as string,
    }));
    const isStored = await tokenStore.fill(filled);
    notes.noteStored(
      filled.filter((_, index) => isStored[index]),
      start,
    );
  }

  return {
    async fill(wanted) {
      const start = performance.now();
      const keys = wanted.filter((key) => !filling.has(key));
      if (keys.length === 0) return;
      for (const key of keys) filling.add(key);
      const leases = await tokenStore.lease(keys.map(freshnessKey), storedMs);
      const leased: { subjectKey: string; lease: string }[] = [];
      for (const [index, subjectKey] of keys.entries()) {
        const lease = leases[index];
        if (lease === undefined) notes.forget(subjectKey);
        else leased.push({ subjectKey, lease });
      }
      void store(leased, start)
        // Ignored: the readers' own call fails as well, and leases end by themselves.
        .catch(() => {})
        .finally(() => keys.forEach((key) => void filling.delete(key)));
    },
    async refresh(stored) {
      const start = performance.now();
      const keys = stored.map(({ subjectKey }) => subjectKey);
      try {
        const values = await valuesOf(keys, start + storedMs);
        if (values.length === 0) return;
        const replaced = stored.map(({ subjectKey, value: old, askedAt }, index) => ({
          subjectKey,
          key: freshnessKey(subjectKey),
          old,
          value: values[index] as string,
          laterMs: Math.floor(start - askedAt),
        }));
        const isStored = await tokenStore.replace(replaced, start + storedMs);
        notes.noteStored(
          replaced.filter((_, index) => isStored[index]),
          start,
        );
        for (const [index, { subjectKey, value }] of stored.entries()) {
          if (!isStored[index]) notes.forget(subjectKey, value);
        }
      } catch {
        // The stored tokens expire, and their next readers ask again.
        for (const { subjectKey, value } of stored) notes.forget(subjectKey, value);
      }
    },
  };
}

/** The stored form of a token. */
function valueOf({ token, tick }: AskedToken): string {
  return `${tick} ${token}`;
}
