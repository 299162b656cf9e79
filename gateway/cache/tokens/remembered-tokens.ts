import type { FreshnessToken } from "./freshness-tokens.ts";

/**
 * Tokens that this process has read from Redis, for a short time. Redis reports which of them have changed. So a token found here is the
 * one in Redis as soon as Redis has answered any command that was sent after the read began (docs/decisions/remembered-tokens.md).
 */
export interface RememberedTokens {
  /** What is remembered of a subject: the same object while the token is, so that a caller may hold it. */
  find(subjectKey: string): RememberedToken | undefined;
  /** To be called before Redis is asked for tokens; what the read gives is remembered by the result, which has to be called once. */
  begin(): Remember;
  /** Forgets the token of a subject that has changed, also one that is being read; null: all. */
  forget(subjectKey: string | null): void;
}

/** Remembers tokens that a read gave, but for those that have changed since it began. */
type Remember = (tokens: ReadonlyMap<string, Readonly<RememberedToken>>) => void;

/** A token from Redis. */
export interface RememberedToken {
  readonly token: FreshnessToken;
  /** Milliseconds of performance.now() after which it does not count, -Infinity once it is forgotten. */
  until: number;
}

/** @param maxAgeMs milliseconds for which a token is remembered at most, since Redis may report an expired token late */
export function createRememberedTokens(maxAgeMs: number): RememberedTokens {
  // Two generations, so that nothing is scheduled for the end of a single token. The older one is dropped when all in it are too old.
  let [recent, older] = [new Map<string, RememberedToken>(), new Map<string, RememberedToken>()];
  let since = Number.NEGATIVE_INFINITY;
  /** For each read under way, the subjects that have changed since it began; null: all. */
  const reads = new Set<Set<string | null>>();
  const find = (subjectKey: string) => recent.get(subjectKey) ?? older.get(subjectKey);

  function makeRoom(now: number): void {
    if (now - since < maxAgeMs) return;
    older = recent;
    recent = new Map();
    since = now;
  }

  return {
    find,
    begin() {
      const changed = new Set<string | null>();
      reads.add(changed);
      const oldest = performance.now() + maxAgeMs;
      return (tokens) => {
        reads.delete(changed);
        if (changed.has(null)) return;
        makeRoom(performance.now());
        for (const [subjectKey, { token, until }] of tokens) {
          if (changed.has(subjectKey)) continue;
          const known = find(subjectKey);
          const isSame = known?.token === token;
          if (!isSame) end(known);
          const now = isSame ? known : { token, until };
          now.until = Math.min(until, oldest);
          recent.set(subjectKey, now);
        }
      };
    },
    forget(subjectKey) {
      for (const changed of reads) changed.add(subjectKey);
      if (subjectKey !== null) return end(find(subjectKey));
      for (const known of [...recent.values(), ...older.values()]) end(known);
      [recent, older] = [new Map(), new Map()];
    },
  };
}

function end(known: RememberedToken | undefined): void {
  if (known !== undefined) known.until = Number.NEGATIVE_INFINITY;
}
