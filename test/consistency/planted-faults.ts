import type { CacheParts } from "../../gateway/cache/cached-operations.ts";
import type { Relations } from "../../gateway/cache/pages/relation-digests.ts";
import { askedTokens } from "../../gateway/cache/tokens/token-lists.ts";
import type { Deadline } from "../../gateway/http/limits/deadline.ts";
import type { RunPlan } from "./check-run.ts";
import { redisDisturbances } from "./disturbances.ts";

/** Plausible mistakes in the protocol of design §5. */
export const plantedFaults = ["join the current batch", "reuse relation digests of an older state"] as const;
export type PlantedFault = (typeof plantedFaults)[number];

/**
 * The load under which a fault shows within seconds: many readers of few users, so that one always reads while another's request is
 * under way, and delays long enough for an acknowledgement to overtake an earlier answer. Joined batches matter only while tokens
 * are stored, so there changes are rarer. A fault shows by chance, mostly within 2,000 reads; many more are made before it counts as
 * not found.
 */
export function plantedPlan(_fault: PlantedFault): RunPlan {
  return {
    reads: 60_000,
    endsWhenStale: true,
    users: 2,
    viewers: 2,
    readers: 48,
    proxyDelayMs: 20,
    thinkMs: 60,
    writePauseMs: 1_500,
    freshnessMs: 300,
    disturbances: redisDisturbances.filter(({ name }) => ["nothing", "Redis flushed at random"].includes(name)),
  };
}

/** The fault that is planted now; undefined: none. */
export type CurrentFault = () => PlantedFault | undefined;

/** Parts of a gateway's cache that are faulty while one of their faults is planted. */
export function plantedParts(fault: CurrentFault): CacheParts {
  return {
    tokenReader(real) {
      const broken = joiningBatches(real);
      return (keys) => {
        const lists = { broken: broken(keys), real: real(keys) };
        const now = () => lists[fault() === "join the current batch" ? "broken" : "real"];
        return {
          read: (deadline) => now().read(deadline),
          confirm: (deadline, reply) => now().confirm(deadline, reply),
          remembered: () => now().remembered(),
        };
      };
    },
    relations(real) {
      const broken = staleRelations(real);
      const now = () => (fault() === "reuse relation digests of an older state" ? broken : real);
      return (viewer, token, deadline) => now()(viewer, token, deadline);
    },
  };
}

/** Takes a viewer's first relations for those of every later state. */
const staleRelations: CacheParts["relations"] = (real) => {
  const first = new Map<string, Relations>();
  return async (viewer, token, deadline) => {
    const relations = first.get(viewer) ?? (await real(viewer, token, deadline));
    if (relations === undefined) return undefined;
    first.set(viewer, relations);
    return { ...relations, token };
  };
};

/** Readers join a request that began before they did. */
const joiningBatches: CacheParts["tokenReader"] = (real) => {
  const underWay = new Map<string, Promise<string>>();
  const join = (key: string, deadline: Deadline): Promise<string> => {
    const asked = async () => (await real([key]).read(deadline))[0] as string;
    const current = underWay.get(key) ?? asked().finally(() => underWay.delete(key));
    underWay.set(key, current);
    return current;
  };
  return askedTokens((keys, deadline) => Promise.all(keys.map((key) => join(key, deadline))));
};
