import type { BreakReads } from "../../gateway/reads/reads.ts";
import { createHold, type Hold } from "../support/hold.ts";

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
