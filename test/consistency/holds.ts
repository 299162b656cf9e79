import type { CacheParts } from "../../gateway/cache/cached-operations.ts";
import { createHold, type Hold } from "../support/hold.ts";

/** Places between two steps of the protocol of design §5 where calls can be stopped. */
export interface Holds {
  /** After a gateway has been answered a token, and before its readers get it. */
  answers: Hold;
  /** The number of requests for tokens so far. */
  requests: number;
}

export function createHolds(): Holds {
  return { answers: createHold(), requests: 0 };
}

/** Adds the places to these parts of a gateway's cache, faulty or sound. */
export function heldParts({ tokenReader, relations }: CacheParts, holds: Holds): CacheParts {
  return {
    relations,
    tokenReader(sound) {
      const reader = tokenReader((keys) => {
        const list = sound(keys);
        const held = async <T>(answered: Promise<T>) => {
          const answer = await answered;
          return holds.answers.around(async () => answer);
        };
        return {
          read: (deadline) => held(list.read(deadline)),
          confirm(deadline, reply) {
            const confirmed = list.confirm(deadline, reply);
            return confirmed && held(confirmed);
          },
          remembered: () => list.remembered(),
        };
      });
      return (keys) => {
        const list = reader(keys);
        return {
          read(deadline) {
            holds.requests++;
            return list.read(deadline);
          },
          confirm(deadline, reply) {
            const confirmed = list.confirm(deadline, reply);
            if (confirmed !== undefined) holds.requests++;
            return confirmed;
          },
          remembered: () => list.remembered(),
        };
      };
    },
  };
}
