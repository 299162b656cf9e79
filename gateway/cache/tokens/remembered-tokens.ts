import type { FreshnessToken } from "./freshness-tokens.ts";

/**
 * Tokens that this process has read from Redis, for a short time. Redis reports which of them have changed. So a token found here is the
 * one in Redis as soon as Redis has answered any command that was sent after the read began (docs/decisions/remembered-tokens.md).
 */
export interface RememberedTokens {
  /** What is remembered of a subject, even if it has ended: the same object while the token is, so that a caller may hold it. */
  find(subjectKey: string): RememberedToken | undefined;
  /** Those of some subjects whose tokens callers have used lately. */
  inUse(subjectKeys: readonly string[]): string[];
  /**
   * To be called before Redis is asked for tokens; what the read gives is remembered by the result, which has to be called once.
   * @param isUse whether callers wait for the tokens; else only tokens in use are remembered, and this does not count as a use
   */
  begin(isUse: boolean): Remember;
  /** Forgets the token of a subject that has changed, also one that is being read; null: all. */
  forget(subjectKey: string | null): void;
}

/** Remembers tokens that a read gave, but for those that have changed since it began. */
type Remember = (tokens: ReadonlyMap<string, ReadToken>) => void;

/** A token as it was read. */
export interface ReadToken {
  readonly token: FreshnessToken;
  /** Milliseconds of performance.now() after which it does not count. */
  readonly until: number;
}

/** A token from Redis. */
export interface RememberedToken {
  readonly token: FreshnessToken;
  /** Milliseconds of performance.now() after which it does not count, -Infinity once it is forgotten. */
  until: number;
  /** Whether a caller has used it since the last sweep. */
  isUsed: boolean;
}

/** @param idleMs milliseconds after which a token that nothing uses is forgotten; a tenth of it while there are many tokens */
export function createRememberedTokens(idleMs: number): RememberedTokens {
  const known = new Map<string, RememberedToken>();
  let sweptAt = Number.NEGATIVE_INFINITY;
  /** For each read under way, the subjects that have changed since it began; null: all. */
  const reads = new Set<Set<string | null>>();

  /** Forgets what was not used since the last sweep, so that nothing is scheduled for the end of a single token. */
  function sweep(now: number): void {
    if (now - sweptAt < (known.size > manyTokens ? idleMs / 10 : idleMs)) return;
    sweptAt = now;
    for (const [subjectKey, entry] of known) {
      // Also one that has ended: it may just have been refreshed.
      if (entry.isUsed) entry.isUsed = false;
      else {
        end(entry);
        known.delete(subjectKey);
      }
    }
  }

  return {
    find: (subjectKey) => known.get(subjectKey),
    inUse(subjectKeys) {
      sweep(performance.now());
      return subjectKeys.filter((key) => known.has(key));
    },
    begin(isUse) {
      const changed = new Set<string | null>();
      reads.add(changed);
      return (tokens) => {
        reads.delete(changed);
        if (changed.has(null)) return;
        sweep(performance.now());
        for (const [subjectKey, { token, until }] of tokens) {
          if (changed.has(subjectKey)) continue;
          const entry = known.get(subjectKey);
          if (entry === undefined && !isUse) continue;
          const isUsed = isUse || entry?.isUsed === true;
          if (entry?.token === token) {
            entry.until = until;
            entry.isUsed = isUsed;
          } else {
            end(entry);
            known.set(subjectKey, { token, until, isUsed });
          }
        }
      };
    },
    forget(subjectKey) {
      for (const changed of reads) changed.add(subjectKey);
      if (subjectKey !== null) return end(known.get(subjectKey));
      for (const entry of known.values()) end(entry);
      known.clear();
    },
  };
}

/** Tokens above which those that are not in use are forgotten sooner: one takes 200 bytes. */
const manyTokens = 10_000;

/** For callers that hold it. */
function end(entry: RememberedToken | undefined): void {
  if (entry !== undefined) entry.until = Number.NEGATIVE_INFINITY;
}
