import type { CacheParts } from "../../gateway/cache/cached-operations.ts";
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
  const isUnannounced = fault === "announce no viewers" || fault === "announce no sessions";
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

/** A gateway's cache with this fault in it; undefined for a sound one. */
export function plantedParts(fault: PlantedFault | undefined, freshnessMs: number): CacheParts | undefined {
  if (fault === "set without a lease") {
    return { tokenStore: (sound, redis) => withoutLease(sound, redis, freshnessMs), tokenReader: (sound) => sound };
  }
  if (fault === "join the current batch") return { tokenStore: (sound) => sound, tokenReader: joiningBatches };
  return undefined;
}

/** Breaks the freshness of all social services of a check in this way; undefined for a sound one. */
export function plantedFreshness(fault: PlantedFault | undefined): ((sound: Freshness) => Freshness) | undefined {
  if (fault === "announce no viewers") {
    return (sound) => ({ ...sound, announce: (all) => sound.announce(all.filter(({ kind }) => kind !== "viewer")) });
  }
  if (fault === "acknowledge without the drop") return (sound) => ({ ...sound, announce: async () => {} });
  if (fault !== "answer before the announcement when nothing changed") return undefined;
  const underWay = new Set<string>();
  return (sound) => answeringFirst(sound, underWay);
}

/** The same of all account services. */
export function plantedAnnouncer(fault: PlantedFault | undefined): ((sound: Announcer) => Announcer) | undefined {
  return fault === "announce no sessions" ? (sound) => ({ ...sound, announce: async () => {} }) : undefined;
}

/** What another write has done and is announcing is not announced again. */
function answeringFirst(sound: Freshness, underWay: Set<string>): Freshness {
  return {
    ...sound,
    async announce(subjects) {
      const key = JSON.stringify(subjects);
      if (underWay.has(key)) return;
      underWay.add(key);
      await sound.announce(subjects).finally(() => underWay.delete(key));
    },
  };
}

/** There are no leases, and a value is put there whatever has happened since it was read. */
function withoutLease(sound: LeasedValues, redis: RedisConnection, ms: number): LeasedValues {
  return {
    read: (keys) => sound.read(keys),
    lease: async (keys) => keys.map(() => ({ id: "none", isOverValue: false })),
    async fill(values) {
      const expiration = { type: "PX", value: ms } as const;
      await redis.run((commands) =>
        Promise.all(values.map(({ key, value }) => commands.set(key, value, { expiration }))),
      );
    },
    raise: (states) => sound.raise(states),
    drop: (keys) => sound.drop(keys),
  };
}

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
