import type { Target } from "../load/load.ts";

/** How the system is started for a case: with Redis, without one, or without one and with `PAGE_CACHE_BYTES=0`, caching no page. */
export type Setting = "redis" | "no Redis" | "cache off";

/** Servers that a case is compared with in the same rounds. `small dataset` is the system over 10,000 statuses. */
export type Rival = "node:http" | "Fastify" | "monolith" | "small dataset";

/** One row of the table. */
export interface Trial {
  /** How it is chosen on the command line. */
  name: string;
  /** What the table calls it. */
  title: string;
  setting: Setting;
  /** The requests that are drawn from. */
  targets: readonly Target[];
  /** Sends the entity tag of each reply back, so that every reply is a 304. */
  isConditional?: boolean;
  /** Presents the session of a user who is registered for it, so. */
  signedInBy?: "bearer" | "cookie";
  /** Deletes everything in Redis each second meanwhile. */
  isFlushed?: boolean;
  connections: number;
  rivals: readonly Rival[];
  floor: Floor;
}

/** What a case has to show (issue 5); ratios are to a rival's requests per second in the same run. */
export interface Floor {
  ratios?: Partial<Record<Rival, number>>;
  perSecond?: number;
  /** Milliseconds at most. */
  p99?: number;
  /** Redis commands per request, at most. */
  redisShare?: number;
}
