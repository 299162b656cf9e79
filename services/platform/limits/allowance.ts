/** How often something may be done: `times` at once, then one more every `seconds / times`. */
export interface Rate {
  times: number;
  seconds: number;
}

/** What each of many may still do at some rate. */
export interface Allowance {
  /** Takes one for a key. Resolves with 0, or with the seconds after which another try makes sense; then nothing was taken. */
  take(key: string): Promise<number>;
}

/** The same rate for the arithmetic of both kinds of allowance, the generic cell rate algorithm: in milliseconds. */
export function pace({ times, seconds }: Rate): { step: number; span: number } {
  return { step: Math.ceil((seconds * 1_000) / times), span: seconds * 1_000 };
}

/** Milliseconds of waiting, as the whole seconds of Retry-After. */
export function toSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1_000);
}
