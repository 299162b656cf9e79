import type { CacheParts } from "../../gateway/cache/cached-operations.ts";
import type { Freshness } from "../../services/social/freshness.ts";
import { createHold, type Hold } from "../support/hold.ts";

/** Where the protocol of design §5 can be held up, between two of its steps. */
export interface Holds {
  /** A gateway has a token and is about to store it. */
  stores: Hold;
  /** A gateway has the answer to a question for a token, and its readers do not. */
  answers: Hold;
  /** A social service has committed a write and is about to announce it. */
  announcements: Hold;
  /** Questions for tokens that have come so far. */
  questions: number;
}

export function createHolds(): Holds {
  return { stores: createHold(), answers: createHold(), announcements: createHold(), questions: 0 };
}

/** These parts of a gateway's cache, broken or sound, where they can be held up. */
export function heldParts({ tokenStore, tokenReader, relations }: CacheParts, holds: Holds): CacheParts {
  return {
    relations,
    tokenStore(sound, redis) {
      const store = tokenStore(sound, redis);
      return { ...store, fill: (values) => holds.stores.around(() => store.fill(values)) };
    },
    tokenReader(sound) {
      const reader = tokenReader(async (keys, deadline) => {
        const answer = await sound(keys, deadline);
        return holds.answers.around(async () => answer);
      });
      return (keys, deadline) => {
        holds.questions++;
        return reader(keys, deadline);
      };
    },
  };
}

export function heldFreshness(sound: Freshness, { announcements }: Holds): Freshness {
  return { ...sound, announce: (subjects) => announcements.around(() => sound.announce(subjects)) };
}
