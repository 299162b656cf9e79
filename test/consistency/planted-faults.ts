import type { CacheParts } from "../../gateway/cache/cached-operations.ts";
import type { Relations } from "../../gateway/cache/pages/relation-digests.ts";
import { askedTokens } from "../../gateway/cache/tokens/token-lists.ts";
import type { Deadline } from "../../gateway/http/limits/deadline.ts";
import type { Announcer } from "../../services/platform/freshness/announcer.ts";
import type { RedisConnection } from "../../services/platform/redis/connection.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import type { Freshness } from "../../services/social/freshness.ts";
import type { RunPlan } from "./check-run.ts";
import { cutsOfTokens, redisDisturbances } from "./disturbances.ts";

/** Plausible mistakes in the protocol of design §5. */
export const plantedFaults = [
  "set without a lease",
  "refresh a token that was dropped",
  "join the current batch",
  "acknowledge without the drop",
  "answer before the announcement when nothing changed",
  "announce no viewers",
  "announce no sessions",
  "reuse relation digests of an older state",
  "ignore what Redis reports as changed",
  "answer before Redis has confirmed",
] as const;
export type PlantedFault = (typeof plantedFaults)[number];

/**
 * The load under which a fault shows within seconds: many readers of few users, so that one always reads while another's request is
 * under way, and delays long enough for an acknowledgement to overtake an earlier answer. Joined batches matter only while tokens
 * are stored, so there changes are rarer. A fault shows by chance, mostly within 2,000 reads; many more are made before it counts as
 * not found.
 */
export function plantedPlan(fault: PlantedFault): RunPlan {
  const isJoining = fault === "join the current batch";
  const isAnswering = fault === "answer before the announcement when nothing changed";
  const isOfViewers = fault === "announce no viewers" || fault === "reuse relation digests of an older state";
  const isRemembering =
    fault === "ignore what Redis reports as changed" || fault === "answer before Redis has confirmed";
  const isUnannounced = isOfViewers || fault === "announce no sessions";
  return {
    reads: 60_000,
    endsWhenStale: true,
    users: 2,
    viewers: 2,
    readers: 48,
    proxyDelayMs: 20,
    thinkMs: 60,
    writePauseMs: isJoining || isUnannounced ? 1_500 : 600,
    // A page is made anew for a change of its author too, which would hide a stale state of the viewer.
    // Tokens are remembered for a tenth of it, which has to be longer than the delays.
    freshnessMs: isRemembering ? 5_000 : isUnannounced ? 2_000 : 300,
    disturbances: isAnswering
      ? [cutsOfTokens]
      : redisDisturbances.filter(({ name }) => ["nothing", "Redis flushed at random"].includes(name)),
  };
}

/** The fault that is planted now; undefined: none. */
export type CurrentFault = () => PlantedFault | undefined;

/** Parts of a gateway's cache that are faulty while one of their faults is planted. */
export function plantedParts(fault: CurrentFault, freshnessMs: number): CacheParts {
  return {
    tokenStore(real, redis) {
      const broken = withoutLease(redis, freshnessMs);
      const now = () => (fault() === "set without a lease" ? broken : real);
      return {
        ...real,
        lease: (keys, ms) => now().lease(keys, ms),
        fill: (values) => now().fill(values),
        async replace(values, end) {
          if (fault() !== "refresh a token that was dropped") return real.replace(values, end);
          await setAll(redis, values, Math.ceil(end - performance.now()));
          return values.map(() => true);
        },
      };
    },
    tokenReader(real) {
      const broken = joiningBatches(real);
      return (keys) => {
        const lists = { broken: broken(keys), real: real(keys) };
        const now = () => lists[fault() === "join the current batch" ? "broken" : "real"];
        const isUnconfirmed = () => fault() === "answer before Redis has confirmed" && lists.real.remembered();
        return {
          read: (deadline) => now().read(deadline),
          confirm: (deadline, reply) => (isUnconfirmed() ? Promise.resolve() : now().confirm(deadline, reply)),
          remembered: () => now().remembered(),
        };
      };
    },
    relations(real) {
      const broken = staleRelations(real);
      const now = () => (fault() === "reuse relation digests of an older state" ? broken : real);
      return (viewer, token, deadline) => now()(viewer, token, deadline);
    },
    changes: (real) => (key) => {
      if (key === null || fault() !== "ignore what Redis reports as changed") real(key);
    },
  };
}

/** The announcements of the social services, faulty while one of their faults is planted. */
export function plantedFreshness(fault: CurrentFault): (real: Freshness) => Freshness {
  const underWay = new Set<string>();
  return (real) => ({
    ...real,
    async announce(subjects) {
      switch (fault()) {
        case "acknowledge without the drop":
          return;
        case "announce no viewers":
          return real.announce(subjects.filter(({ kind }) => kind !== "viewer"));
        case "answer before the announcement when nothing changed":
          return announceOnce(real, subjects, underWay);
        default:
          return real.announce(subjects);
      }
    },
  });
}

/** The announcements of the account services, faulty while their fault is planted. */
export function plantedAnnouncer(fault: CurrentFault): (real: Announcer) => Announcer {
  return (real) => ({
    ...real,
    announce: async (subjectKeys) => (fault() === "announce no sessions" ? undefined : real.announce(subjectKeys)),
  });
}

/** Does not announce subjects that another write is announcing. */
async function announceOnce(
  real: Freshness,
  subjects: Parameters<Freshness["announce"]>[0],
  underWay: Set<string>,
): Promise<void> {
  const key = JSON.stringify(subjects);
  if (underWay.has(key)) return;
  underWay.add(key);
  await real.announce(subjects).finally(() => underWay.delete(key));
}

/** Stores values without leases, whatever has happened since they were read. */
function withoutLease(redis: RedisConnection, ms: number): Pick<LeasedValues, "lease" | "fill"> {
  return {
    lease: async (keys) => keys.map(() => "none"),
    async fill(values) {
      await setAll(redis, values, ms);
      return values.map(() => true);
    },
  };
}

async function setAll(redis: RedisConnection, values: readonly { key: string; value: string }[], ms: number) {
  const expiration = { type: "PX", value: ms } as const;
  await redis.run((commands) => Promise.all(values.map(({ key, value }) => commands.set(key, value, { expiration }))));
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
