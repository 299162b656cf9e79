/**
 * Knows which kept tokens are to be asked for again before they end, so that those who read them never find them gone.
 * Of a token that several processes read, the one that put it there does that.
 */
export interface Renewals {
  /** Notes that tokens were put by this process, and when they had been asked for; by performance.now(). */
  put(nameKeys: readonly string[], at: number): void;
  /** Notes that a token was read. */
  read(nameKey: string): void;
  /** Notes that somebody else puts a token from now on. */
  leave(nameKey: string): void;
}

/**
 * @param keptMs milliseconds for which a token is kept
 * @param renew is called with the name keys of those that are due
 */
export function createRenewals(keptMs: number, renew: (nameKeys: string[]) => void): Renewals {
  /** By name key, the oldest first. */
  const tokens = new Map<string, { at: number; unread: number }>();
  let looking = false;

  function lookLater(): void {
    looking = tokens.size > 0;
    if (looking) setTimeout(look, keptMs * betweenLooks).unref();
  }

  function look(): void {
    const now = performance.now();
    const due: string[] = [];
    let spare = mostUnread;
    for (const [key, token] of tokens) {
      if (token.at > now - keptMs * renewedAfter) break;
      tokens.delete(key);
      if (token.unread >= renewedUnread || (token.unread > 0 && spare-- <= 0)) continue;
      tokens.set(key, { at: now, unread: token.unread + 1 });
      due.push(key);
    }
    if (due.length > 0) renew(due);
    lookLater();
  }

  return {
    put(nameKeys, at) {
      for (const key of nameKeys) {
        const unread = tokens.get(key)?.unread ?? 0;
        tokens.delete(key);
        tokens.set(key, { at, unread });
      }
      if (!looking) lookLater();
    },
    read(nameKey) {
      const token = tokens.get(nameKey);
      if (token !== undefined) token.unread = 0;
    },
    leave: (nameKey) => void tokens.delete(nameKey),
  };
}

/** The part of its time after which a token is due. */
const renewedAfter = 0.7;

/**
 * How often a token is renewed that nobody reads: until somebody who comes now and then may be back. Who misses a token
 * waits for the service, and a renewal among others costs less than that.
 */
const renewedUnread = 3;

/** Of those, the most at one look: who asks for very many users once may not have all of them renewed. */
const mostUnread = 100;

/** The part of its time from one look to the next: a call for each token would cost more than they do. */
const betweenLooks = 0.05;
