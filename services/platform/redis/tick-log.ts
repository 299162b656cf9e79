/**
 * The ticks of the logical clock (logical-clock.ts) that one process has seen, each with a time, by its monotonic clock, at which
 * the tick did not exist yet. Whatever was done under a tick was done after that time.
 */
export interface TickLog {
  /**
   * Notes that a poll begun at that time, on the connection of that generation, returned this tick. The age of the first tick on a
   * connection is unknown: it may come from another server, a promoted replica, or a loaded snapshot.
   */
  note(tick: string, askedAt: number, generation: number): void;
  /**
   * The time until which a tick is younger than the window; -Infinity for an unknown one, and for every tick on a connection on which
   * no poll has been noted: what was seen on an earlier one may be another server's.
   */
  recentUntil(tick: string, connection: number): number;
}

/** @param windowMs milliseconds after which ticks are forgotten */
export function createTickLog(windowMs: number): TickLog {
  /** By tick, the oldest first: a time at which it did not exist yet. */
  const absentAt = new Map<string, number>();
  let last: { tick: string; askedAt: number; connection: number } | undefined;
  return {
    note(tick, askedAt, connection) {
      if (last?.connection !== connection) absentAt.clear();
      else if (tick !== last.tick && !absentAt.has(tick)) absentAt.set(tick, last.askedAt);
      last = { tick, askedAt, connection };
      for (const [known, at] of absentAt) {
        if (at >= askedAt - windowMs) break;
        absentAt.delete(known);
      }
    },
    recentUntil(tick, connection) {
      const since = last?.connection === connection ? absentAt.get(tick) : undefined;
      return (since ?? Number.NEGATIVE_INFINITY) + windowMs;
    },
  };
}
