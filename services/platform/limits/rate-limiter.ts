/** How often something may be done: `times` at once, then one more every `seconds / times`. */
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
  /**
   * Takes one of each charge, or of none: what one limit refuses costs nothing of the others. Resolves with the seconds
   * after which each charge could be taken, all 0 when they were.
   */
  take(charges: readonly Charge[]): Promise<number[]>;
  /** Gives back what was taken, as if it had not been. */
  giveBack(charges: readonly Charge[]): Promise<void>;
}

/** The same rate for the arithmetic of both kinds of limiter, the generic cell rate algorithm: in milliseconds. */
export function pace({ times, seconds }: Rate): { step: number; span: number } {
  return { step: Math.ceil((seconds * 1_000) / times), span: seconds * 1_000 };
}

/** Milliseconds of waiting, as the whole seconds of Retry-After. */
export function toSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1_000);
}
