/** How often something may be done; what that means for single moments says the Counting. */
export interface Rate {
  times: number;
  seconds: number;
}

/** One limit that an attempt counts against. */
export interface Charge {
  /** The limit's name. */
  limit: string;
  /** For what it is counted. */
  key: string;
  rate: Rate;
}

/** Counts attempts against limits. */
export interface RateLimiter {
  /** Takes one of each charge, or of none: what one limit refuses costs nothing of the others. */
  take(charges: readonly Charge[]): Promise<Taken>;
}

/** What an attempt took. */
export interface Taken {
  /** The seconds after which each charge could be taken, all 0 when they were. */
  waits: number[];
  /** Gives these of the charges back, as if they had not been taken. To be called when all were taken. */
  giveBack(charges: readonly Charge[]): Promise<void>;
}

/** A way of counting, for one process alone and, by the same arithmetic, for all on one Redis. */
export interface Counting {
  /** @param now milliseconds, for tests */
  createLocal(now?: () => number): RateLimiter;
  /** What the names of its keys in Redis begin with. */
  prefix: string;
  /**
   * Scripts for Redis. ARGV are the times and the milliseconds of each key's rate. `take` returns the milliseconds to wait for each key
   * and then its moment, which `giveBack` gets as its last argument.
   */
  take: string;
  giveBack: string;
}

/** Milliseconds of waiting, as the whole seconds of Retry-After. */
export function toSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1_000);
}

/** How many keys a process counts by itself at most. Of more the ones not used for the longest time are forgotten. */
export const maxKeys = 300_000;

/** How a charge is named where all limits are counted together. */
export function chargeKey({ limit, key }: Charge): string {
  return `${limit}:${key}`;
}

/** The lines by which a script for Redis begins: the moment in milliseconds, by the clock of that Redis. */
export const redisNow = `
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000)`;
