import type { BreakReads } from "../../gateway/reads/reads.ts";

/** Places between two steps of a read (design §5) where it can be stopped. */
export interface Holds {
  /** After the services have told versions, and before the readers get them. */
  answers: Hold;
  /** After a reader was told versions and found no page, and before it is loaded. */
  loads: Hold;
  /** The number of reads that have asked for versions so far. */
  asked: number;
}

export function createHolds(): Holds {
  return { answers: createHold(), loads: createHold(), asked: 0 };
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
interface Hold {
  /** Does this work; while the place is stopped, only after the release. */
  around<T>(work: () => Promise<T>): Promise<T>;
  /** Stops everything that comes from now on. */
  hold(): void;
  /** How many calls are stopped. */
  waiting(): number;
  /** Releases all that are stopped, and lets later ones pass. Resolves when those that were stopped have ended. */
  release(): Promise<void>;
}

function createHold(): Hold {
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
