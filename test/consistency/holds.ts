import type { CacheParts } from "../../gateway/cache/cached-operations.ts";
import type { Freshness } from "../../services/social/freshness.ts";
import { createHold, type Hold } from "../support/hold.ts";

/** Places between two steps of the protocol of design §5 where calls can be stopped. */
export interface Holds {
  /** Before a gateway stores a token under a lease. */
  stores: Hold;
  /** The keys of tokens that gateways were about to store so far. */
  storedKeys: Set<string>;
  /** Before a gateway replaces a stored token. */
  replacements: Hold;
  /** The keys of tokens that gateways were about to replace so far. */
  replacedKeys: Set<string>;
  /** After a gateway has been answered a token, and before its readers get it. */
  answers: Hold;
  /** After a social service has committed a write, and before it announces it. */
  announcements: Hold;
  /** The number of requests for tokens so far. */
  requests: number;
  /** How many of these only had Redis confirm tokens that a gateway remembers. */
  confirmations: number;
}

export function createHolds(): Holds {
  const [stores, replacements, answers, announcements] = [createHold(), createHold(), createHold(), createHold()];
  const keys = { storedKeys: new Set<string>(), replacedKeys: new Set<string>() };
  return { stores, replacements, ...keys, answers, announcements, requests: 0, confirmations: 0 };
}

/** Adds the places to these parts of a gateway's cache, faulty or sound. */
export function heldParts({ tokenStore, tokenReader, relations, changes }: CacheParts, holds: Holds): CacheParts {
  return {
    relations,
    changes,
    tokenStore(sound, redis) {
      const store = tokenStore(sound, redis);
      return {
        ...store,
        fill(values) {
          for (const { key } of values) holds.storedKeys.add(key);
          return holds.stores.around(() => store.fill(values));
        },
        replace(values, end) {
          for (const { key } of values) holds.replacedKeys.add(key);
          return holds.replacements.around(() => store.replace(values, end));
        },
      };
    },
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
            if (confirmed !== undefined) {
              holds.requests++;
              holds.confirmations++;
            }
            return confirmed;
          },
          remembered: () => list.remembered(),
        };
      };
    },
  };
}

export function heldFreshness(sound: Freshness, { announcements }: Holds): Freshness {
  return { ...sound, announce: (subjects) => announcements.around(() => sound.announce(subjects)) };
}
