/** A place in the code at which a test can hold up what comes along, to force one order of events. */
export interface Hold {
  /** Does this work; while it is held up, only after the release. */
  around<T>(work: () => Promise<T>): Promise<T>;
  /** Holds up all that comes from now on. */
  hold(): void;
  /** How many are held up. */
  waiting(): number;
  /** Lets all go on, and what comes later pass. Resolves when those that were held up have ended. */
  release(): Promise<void>;
}

export function createHold(): Hold {
  let isHeld = false;
  let goOn: (() => void)[] = [];
  let works: Promise<unknown>[] = [];
  return {
    around(work) {
      if (!isHeld) return work();
      const done = new Promise<void>((resolve) => goOn.push(resolve)).then(work);
      works.push(done);
      return done;
    },
    hold: () => void (isHeld = true),
    waiting: () => goOn.length,
    async release() {
      isHeld = false;
      const held = works;
      for (const resolve of goOn) resolve();
      [goOn, works] = [[], []];
      await Promise.allSettled(held);
    },
  };
}
