import { createLru } from "../../../services/platform/lru.ts";

/**
 * Decides which stored tokens are refreshed before they expire, so that their readers always find them. When several
 * processes read a token, the one that stored it refreshes it.
 */
export interface TokenRefresh {
  /**
   * Notes values that this process stored, and when it had asked for them, by performance.now(). One that replaced `old` is noted only if no
   * other was stored meanwhile.
   */
  noteStored(values: readonly (StoredToken & { old?: string })[], at: number): void;
  /** Notes that a token was read. */
  noteRead(subjectKey: string): void;
  /** When this process asked for the value that it stored, by performance.now(); undefined if it did not store this one. */
  askedAt(subjectKey: string, value: string): number | undefined;
  /** Stops refreshing a token: another process has its lease, or the refresh failed. @param value which one; undefined: any */
  forget(subjectKey: string, value?: string): void;
}

/** A token as this process stored it in Redis. */
export interface StoredToken {
  subjectKey: string;
  value: string;
}

/** A stored token that is to be refreshed, and when this process had asked for it, by performance.now(). */
export interface DueToken extends StoredToken {
  askedAt: number;
}

/**
 * @param lifetimeMs milliseconds for which a token is stored
 * @param refresh is called with the tokens that are due
 */
export function createTokenRefresh(lifetimeMs: number, refresh: (due: DueToken[]) => void): TokenRefresh {
  /** By subject key, the oldest `at` first. `at`: when it was asked for or refreshed last; `unread`: refreshes since the last read. */
  const tokens = new Map<string, { value: string; askedAt: number; at: number; unread: number }>();
  /** The subject keys of tokens that were stored lately. */
  const stored = createLru<true>(maxStored);
  let isScheduled = false;

  function schedule(): void {
    isScheduled = tokens.size > 0;
    if (isScheduled) setTimeout(refreshDue, lifetimeMs * checkInterval).unref();
  }

  function refreshDue(): void {
    const now = performance.now();
    const due: DueToken[] = [];
    let unreadLeft = maxUnreadTokens;
    let shareLeft = shareOf(tokens.size);
    for (const [subjectKey, { value, askedAt, at, unread }] of tokens) {
      const isDue = at <= now - lifetimeMs * dueAfter;
      if (!isDue) {
        if (shareLeft <= 0 || at > now - lifetimeMs * earlyAfter) break;
        // It may not be read again.
        if (unread > 0) continue;
      }
      shareLeft--;
      tokens.delete(subjectKey);
      if (unread >= maxUnreadRefreshes || (unread > 0 && unreadLeft-- <= 0)) continue;
      tokens.set(subjectKey, { value, askedAt, at: now, unread: unread + 1 });
      due.push({ subjectKey, value, askedAt });
    }
    if (due.length > 0) refresh(due);
    schedule();
  }

  return {
    noteStored(values, at) {
      for (const { subjectKey, value, old } of values) {
        if (old !== undefined && tokens.get(subjectKey)?.value !== old) continue;
        const unread = tokens.get(subjectKey)?.unread ?? (stored.has(subjectKey) ? 0 : maxUnreadRefreshes);
        stored.set(subjectKey, true);
        tokens.delete(subjectKey);
        tokens.set(subjectKey, { value, askedAt: at, at, unread });
      }
      if (!isScheduled) schedule();
    },
    noteRead(subjectKey) {
      const token = tokens.get(subjectKey);
      if (token !== undefined) token.unread = 0;
    },
    askedAt(subjectKey, value) {
      const token = tokens.get(subjectKey);
      return token?.value === value ? token.askedAt : undefined;
    },
    forget(subjectKey, value) {
      if (value === undefined || tokens.get(subjectKey)?.value === value) tokens.delete(subjectKey);
    },
  };
}

/** The part of its lifetime after which a token is due. */
const dueAfter = 0.7;

/** The part of its lifetime after which a token may be refreshed early. */
const earlyAfter = 0.35;

/**
 * Tokens that each check refreshes even if they are not due. Tokens that were stored at the same moment would otherwise be refreshed at the same
 * moment again and again, and Redis would answer nothing else for milliseconds.
 */
function shareOf(all: number): number {
  const share = Math.floor((all * checkInterval) / dueAfter);
  return share < minShare ? 0 : share;
}

/** Fewer are refreshed together: a call for each few of them would cost more. */
const minShare = 10;

/**
 * Refreshes in a row of a token that is not read, if it had been stored before: more than one, for clients that poll rarely. A
 * refresh in a batch costs less than the wait of a reader who finds no token. A token that was asked for once is not refreshed: most
 * users are asked for rarely, so that the next request would come after the last refresh.
 */
const maxUnreadRefreshes = 3;

/** Tokens that count as stored before. */
const maxStored = 10_000;

/** Unread tokens that one check refreshes: a client that asks for very many users once must not cause as many refreshes. */
const maxUnreadTokens = 200;

/** The part of a lifetime between two checks: refreshing each token at its own time would cost a call for each. */
const checkInterval = 0.1;
