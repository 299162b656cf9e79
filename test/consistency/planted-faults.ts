import type { CacheParts } from "../../gateway/cache/cached-operations.ts";
import type { Relations } from "../../gateway/cache/relation-digests.ts";
import type { Deadline } from "../../gateway/http/limits/deadline.ts";
import type { Announcer } from "../../services/platform/freshness/announcer.ts";
import type { RedisConnection } from "../../services/platform/redis/connection.ts";
import type { LeasedValues } from "../../services/platform/redis/leased-values.ts";
import type { Freshness } from "../../services/social/freshness.ts";
import type { RunPlan } from "./check-run.ts";
import { cutsOfTokens, redisDisturbances } from "./disturbances.ts";

/** Ways to get the protocol of design §5 wrong that look right. */
export const plantedFaults = [
  "set without a lease",
  "join the current batch",
  "acknowledge without the drop",
  "answer before the announcement when nothing changed",
  "announce no viewers",
  "announce no sessions",
  "keep what viewers have to do with others",
] as const;
export type PlantedFault = (typeof plantedFaults)[number];

/**
 * What lets a fault show within seconds: many readers of few users, so that one always comes while another's question
 * is under way, and wires long enough for an acknowledgement to overtake an answer that was read before it. Who joins a
 * batch is misled by tokens that are cached, so there users are left alone for longer. A fault shows by chance, mostly
 * within 2,000 reads: many more are made before it counts as not found.
 */
export function plantedPlan(fault: PlantedFault): RunPlan {
  const isJoining = fault === "join the current batch";
  const isAnswering = fault === "answer before the announcement when nothing changed";
  const isOfViewers = fault === "announce no viewers" || fault === "keep what viewers have to do with others";
  const isUnannounced = isOfViewers || fault === "announce no sessions";
  return {
    reads: 60_000,
    endsWhenStale: true,
    users: 2,
    readers: 48,
    wireMs: 20,
    thinkMs: 60,
    writePauseMs: isJoining || isUnannounced ? 1_500 : 600,
    // What a viewer sees is hidden where the author changes as well: each change of either has the page made anew.
    freshnessMs: isUnannounced ? 2_000 : 300,
    disturbances: isAnswering
      ? [cutsOfTokens]
      : redisDisturbances.filter(({ name }) => ["nothing", "Redis flushed at random"].includes(name)),
  };
}

/** The fault that is built in now; undefined: all is sound. */
export type CurrentFault = () => PlantedFault | undefined;

/** Parts of a gateway's cache that are broken while the fault is one of theirs. */
export function plantedParts(fault: CurrentFault, freshnessMs: number): CacheParts {
  return {
    tokenStore(sound, redis) {
      const broken = withoutLease(redis, freshnessMs);
      const now = () => (fault() === "set without a lease" ? broken : sound);
      return { ...sound, lease: (keys, ms) => now().lease(keys, ms), fill: (values) => now().fill(values) };
    },
    tokenReader(sound) {
      const broken = joiningBatches(sound);
      return (keys, deadline) => (fault() === "join the current batch" ? broken : sound)(keys, deadline);
    },
    relations(sound) {
      const broken = keptRelations(sound);
      const now = () => (fault() === "keep what viewers have to do with others" ? broken : sound);
      return (viewer, token, deadline) => now()(viewer, token, deadline);
    },
  };
}

/** Breaks the freshness of all social services of a check while the fault is one of theirs. */
export function plantedFreshness(fault: CurrentFault): (sound: Freshness) => Freshness {
  const underWay = new Set<string>();
  return (sound) => ({
    ...sound,
    async announce(subjects) {
      switch (fault()) {
        case "acknowledge without the drop":
          return;
        case "announce no viewers":
          return sound.announce(subjects.filter(({ kind }) => kind !== "viewer"));
        case "answer before the announcement when nothing changed":
          return announceOnce(sound, subjects, underWay);
        default:
          return sound.announce(subjects);
      }
    },
  });
}

/** The same of all account services. */
export function plantedAnnouncer(fault: CurrentFault): (sound: Announcer) => Announcer {
  return (sound) => ({
    ...sound,
    announce: async (subjectKeys) => (fault() === "announce no sessions" ? undefined : sound.announce(subjectKeys)),
  });
}

/** What another write has done and is announcing is not announced again. */
async function announceOnce(
  sound: Freshness,
  subjects: Parameters<Freshness["announce"]>[0],
  underWay: Set<string>,
): Promise<void> {
  const key = JSON.stringify(subjects);
  if (underWay.has(key)) return;
  underWay.add(key);
  await sound.announce(subjects).finally(() => underWay.delete(key));
}

/** There are no leases, and a value is put there whatever has happened since it was read. */
function withoutLease(redis: RedisConnection, ms: number): Pick<LeasedValues, "lease" | "fill"> {
  return {
    lease: async (keys) => keys.map(() => ({ id: "none", isOverValue: false })),
    async fill(values) {
      const expiration = { type: "PX", value: ms } as const;
      await redis.run((commands) =>
        Promise.all(values.map(({ key, value }) => commands.set(key, value, { expiration }))),
      );
    },
  };
}

/** What a viewer had to do with others when it was asked for first is taken for what it is in every later state. */
const keptRelations: CacheParts["relations"] = (sound) => {
  const kept = new Map<string, Relations>();
  return async (viewer, token, deadline) => {
    const relations = kept.get(viewer) ?? (await sound(viewer, token, deadline));
    if (relations === undefined) return undefined;
    kept.set(viewer, relations);
    return { ...relations, token };
  };
};

/** Readers take the answer of a question that was under way before they came. */
const joiningBatches: CacheParts["tokenReader"] = (sound) => {
  const underWay = new Map<string, Promise<string>>();
  const join = (key: string, deadline: Deadline): Promise<string> => {
    const asked = async () => (await sound([key], deadline))[0] as string;
    const current = underWay.get(key) ?? asked().finally(() => underWay.delete(key));
    underWay.set(key, current);
    return current;
  };
  return (keys, deadline) => Promise.all(keys.map((key) => join(key, deadline)));
};
