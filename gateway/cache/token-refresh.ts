import { createLru } from "../../services/platform/lru.ts";

/**
 * Decides which stored tokens are asked for again before they end, so that their readers always find them. When several
 * processes read a token, the one that stored it refreshes it.
 */
export interface TokenRefresh {
  /** Notes that this process stored tokens, and when it had asked for them, by performance.now(). */
  noteStored(nameKeys: readonly string[], at: number): void;
  /** Notes that a token was read. */
  noteRead(nameKey: string): void;
  /** Notes that another process stores a token from now on. */
  forget(nameKey: string): void;
}

/**
 * @param lifetimeMs milliseconds for which a token is stored
 * @param refresh is called with the name keys of the tokens that are due
 */
export function createTokenRefresh(lifetimeMs: number, refresh: (nameKeys: string[]) => void): TokenRefresh {
  /** By name key, the oldest first. `unread`: refreshes since the last read. */
  const tokens = new Map<string, { at: number; unread: number }>();
  /** The name keys of tokens that were stored lately. */
  const stored = createLru<true>(maxRemembered);
  let isScheduled = false;

  function schedule(): void {
    isScheduled = tokens.size > 0;
    if (isScheduled) setTimeout(refreshDue, lifetimeMs * checkInterval).unref();
  }

  function refreshDue(): void {
    const now = performance.now();
    const due: string[] = [];
    let unreadLeft = maxUnreadTokens;
    for (const [key, token] of tokens) {
      if (token.at > now - lifetimeMs * dueAfter) break;
      tokens.delete(key);
      if (token.unread >= maxUnreadRefreshes || (token.unread > 0 && unreadLeft-- <= 0)) continue;
      tokens.set(key, { at: now, unread: token.unread + 1 });
      due.push(key);
    }
    if (due.length > 0) refresh(due);
    schedule();
  }

  return {
    noteStored(nameKeys, at) {
      for (const key of nameKeys) {
        const unread = tokens.get(key)?.unread ?? (stored.has(key) ? 0 : maxUnreadRefreshes);
        stored.set(key, true);
        tokens.delete(key);
        tokens.set(key, { at, unread });
      }
      if (!isScheduled) schedule();
    },
    noteRead(nameKey) {
      const token = tokens.get(nameKey);
      if (token !== undefined) token.unread = 0;
    },
    forget: (nameKey) => void tokens.delete(nameKey),
  };
}

/** The part of its lifetime after which a token is due. */
const dueAfter = 0.7;

/**
 * Refreshes of a token that is not read meanwhile, where it had to be stored before: more than one, for clients that poll rarely. A
 * refresh in a batch costs less than the wait of a reader who finds no token. A token that was asked for once gets none: most users
 * are asked for seldom, and the next request comes later than any refresh.
 */
const maxUnreadRefreshes = 3;

/** Tokens that count as stored before. */
const maxRemembered = 10_000;

/** Unread tokens refreshed at one check, so that a client that asks for very many users once does not have all refreshed. */
const maxUnreadTokens = 100;

/** The part of a lifetime between two checks: refreshing each token at its own time would cost a call for each. */
const checkInterval = 0.05;
