import type { FreshnessToken } from "./freshness-tokens.ts";

/**
 * Tokens that this process has read from Redis, for a short time. Redis reports which of them have changed. So a token that is still here
 * when Redis answers a command is the one that Redis had when it ran that command (docs/decisions/remembered-tokens.md).
 */
export interface RememberedTokens {
  /** The token of a subject, even if it has ended. The object is the same as long as the token is, so that callers may store it. */
  find(subjectKey: string): RememberedToken | undefined;
  /** Those of these subjects whose tokens callers have used lately. */
  inUse(subjectKeys: readonly string[]): string[];
  /**
   * To be called before Redis is asked for tokens. The result has to be called once, with the tokens that were read.
   * @param isUse whether callers wait for the tokens; else only tokens in use are remembered, and this does not count as a use
   */
  begin(isUse: boolean): Remember;
  /** Forgets the token of a subject that has changed, also one that is being read; null: all. */
  forget(subjectKey: string | null): void;
}

/** Remembers the tokens that were read, except those that have changed since the read began. */
type Remember = (tokens: ReadonlyMap<string, ReadToken>) => void;

/** A token as it was read. */
export interface ReadToken {
  readonly token: FreshnessToken;
  /** Milliseconds of performance.now() after which it may not be used. */
  readonly until: number;
}

/** A token from Redis. */
export interface RememberedToken {
  readonly token: FreshnessToken;
  /** Milliseconds of performance.now() after which it may not be used, -Infinity once it is forgotten. */
  until: number;
  /** Whether a caller has used it since the last sweep. */
  isUsed: boolean;
}

/** @param idleMs milliseconds after which an unused token is forgotten; a tenth of that while there are many tokens */
export function createRememberedTokens(idleMs: number): RememberedTokens {
  const entries = new Map<string, RememberedToken>();
  let sweptAt = Number.NEGATIVE_INFINITY;
  /** For each read under way, the subjects that have changed since it began; null: all. */
  const reads = new Set<Set<string | null>>();

  /** Forgets what was not used since the last sweep: a timer for each token would cost more. */
  function sweep(now: number): void {
    if (now - sweptAt < (entries.size > manyTokens ? idleMs / 10 : idleMs)) return;
    sweptAt = now;
    for (const [subjectKey, entry] of entries) {
      // Keeps a used entry that has ended, too: its token may just have been refreshed.
      if (entry.isUsed) entry.isUsed = false;
      else {
        end(entry);
        entries.delete(subjectKey);
      }
    }
  }

  return {
    find: (subjectKey) => entries.get(subjectKey),
    inUse(subjectKeys) {
      sweep(performance.now());
      return subjectKeys.filter((key) => entries.has(key));
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
          const entry = entries.get(subjectKey);
          if (entry === undefined && !isUse) continue;
          const isUsed = isUse || entry?.isUsed === true;
          if (entry?.token === token) {
            entry.until = until;
            entry.isUsed = isUsed;
          } else {
            end(entry);
            entries.set(subjectKey, { token, until, isUsed });
          }
        }
      };
    },
    forget(subjectKey) {
      for (const changed of reads) changed.add(subjectKey);
      if (subjectKey !== null) return end(entries.get(subjectKey));
      for (const entry of entries.values()) end(entry);
      entries.clear();
    },
  };
}

/** Tokens above which unused ones are forgotten sooner: each takes 200 bytes. */
const manyTokens = 10_000;

/** So that callers who store the entry see that it has ended. */
function end(entry: RememberedToken | undefined): void {
  if (entry !== undefined) entry.until = Number.NEGATIVE_INFINITY;
}
