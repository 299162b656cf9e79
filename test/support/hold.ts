/** A place in the code where a test can stop what passes, to force an order of events. */
export interface Hold {
  /** Does this work; while the place is stopped, only after the release. */
  around<T>(work: () => Promise<T>): Promise<T>;
  /** Stops everything that comes from now on. */
  hold(): void;
  /** How many calls are stopped. */
  waiting(): number;
  /** Releases all that are stopped, and lets later ones pass. Resolves when those that were stopped have ended. */
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
