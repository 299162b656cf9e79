/** How often something may be done; a Counting decides how it is distributed over the time. */
export interface Rate {
  times: number;
  seconds: number;
}

/** One limit that an attempt counts against. */
export interface Charge {
  /** The limit's name. */
  limit: string;
  /** The key that it is counted for, such as an address. */
  key: string;
  rate: Rate;
}

/** Counts attempts against limits. */
export interface RateLimiter {
  /** Takes one of each charge, or of none: an attempt that one limit refuses does not count against the others. */
  take(charges: readonly Charge[]): Promise<Taken>;
}

/** The result of an attempt. */
export interface Taken {
  /** The seconds after which each charge could be taken, all 0 when they were. */
  waits: number[];
  /** Gives these of the charges back. To be called only when all were taken. */
  giveBack(charges: readonly Charge[]): Promise<void>;
}

/** A way of counting, in one process and, by the same arithmetic, in one Redis for all. */
export interface Counting {
  /** @param now milliseconds, for tests */
  createLocal(now?: () => number): RateLimiter;
  /** The prefix of its keys in Redis. */
  prefix: string;
  /**
   * Scripts for Redis. ARGV holds the times and milliseconds of each key's rate. `take` returns the milliseconds to wait for each
   * key and then its own moment, which `giveBack` gets as its last argument.
   */
  take: string;
  giveBack: string;
}

/** Milliseconds of waiting as the whole seconds of Retry-After. */
export function toSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1_000);
}

/** Milliseconds since 1970, by a clock that is never set: users would wait for longer after the clock of the machine was set back. */
export function monotonicNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The most keys that a process counts by itself; beyond that the least recently used are forgotten. */
export const maxKeys = 300_000;

/** The key of a charge where all limits are counted together. */
export function chargeKey({ limit, key }: Charge): string {
  return `${limit}:${key}`;
}

/** The first lines of a script for Redis: the present moment in milliseconds, by the clock of that Redis. */
export const redisNow = `
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000)`;
