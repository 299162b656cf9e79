import type { BreakReads } from "../../gateway/reads/reads.ts";

export type Holds = ReturnType<typeof createHolds>;

/** Places between two steps of a read (design §5) where it can be stopped. */
export function createHolds() {
  return {
    /** After the services have told versions, and before the readers get them. */
    answers: new Hold(),
    /** After a reader was told versions and found no page, and before it is loaded. */
    loads: new Hold(),
    /** The number of reads that have asked for versions so far. */
    asked: 0,
  };
}

/** Adds the places to a gateway's reads, faulty or sound. The first one is inside of a fault, the others are around it. */
export function heldReads(breakReads: BreakReads, holds: Holds): BreakReads {
  return (sound) => {
    const parts = breakReads({
      ...sound,
      async askVersions(subjects, deadline) {
        const versions = await sound.askVersions(subjects, deadline);
        return holds.answers.around(async () => versions);
      },
    });
    const { askVersions, store } = parts;
    return {
      ...parts,
      askVersions(subjects, deadline) {
        holds.asked++;
        return askVersions(subjects, deadline);
      },
      store: store && {
        ...store,
        async fetch(key, form, kind) {
          const page = await store.fetch(key, form, kind);
          return page ?? holds.loads.around(async () => undefined);
        },
      },
    };
  };
}

/** A place in the code where a test can stop what passes, to force an order of events. */
class Hold {
  #isHeld = false;
  #goOn: (() => void)[] = [];
  #works: Promise<unknown>[] = [];

  /** Does this work; while the place is stopped, only after the release. */
  around<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isHeld) return work();
    const done = new Promise<void>((resolve) => this.#goOn.push(resolve)).then(work);
    this.#works.push(done);
    return done;
  }

  /** Stops everything that comes from now on. */
  hold(): void {
    this.#isHeld = true;
  }

  /** How many calls are stopped. */
  get waiting(): number {
    return this.#goOn.length;
  }

  /** Releases all that are stopped, and lets later ones pass. Resolves when those that were stopped have ended. */
  async release(): Promise<void> {
    this.#isHeld = false;
    for (const resolve of this.#goOn.splice(0)) resolve();
    await Promise.allSettled(this.#works.splice(0));
  }
}
