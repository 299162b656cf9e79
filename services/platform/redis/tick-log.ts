/**
 * What one process saw of the logical clock (logical-clock.ts): for each tick a time, by the monotonic clock of this process,
 * at which the tick did not exist yet. Whatever was done under that tick was done later.
 */
export interface TickLog {
  /**
   * Notes that a question of that time, on the connection of that number, was answered with this tick. Of the first tick on a
   * connection it is not known how old it is: it may come from another server, from a replica that was promoted, or from a
   * snapshot that was loaded.
   */
  note(tick: string, askedAt: number, connection: number): void;
  /** Whether a tick is younger than the window. */
  isRecent(tick: string, now: number): boolean;
}

/** @param windowMs milliseconds after which ticks are forgotten */
export function createTickLog(windowMs: number): TickLog {
  /** By tick, the oldest first. */
  const unbornAt = new Map<string, number>();
  let last: { tick: string; askedAt: number; connection: number } | undefined;
  return {
    note(tick, askedAt, connection) {
      if (last?.connection !== connection) unbornAt.clear();
      else if (tick !== last.tick && !unbornAt.has(tick)) unbornAt.set(tick, last.askedAt);
      last = { tick, askedAt, connection };
      for (const [known, at] of unbornAt) {
        if (at >= askedAt - windowMs) break;
        unbornAt.delete(known);
      }
    },
    isRecent(tick, now) {
      const at = unbornAt.get(tick);
      return at !== undefined && now - at <= windowMs;
    },
  };
}
