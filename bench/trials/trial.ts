import type { Target } from "../load/load.ts";

/**
 * How the system is started for a case: with Redis, without one, or without one and with `PAGE_CACHE_BYTES=0`, which turns the
 * page cache off.
 */
export type Setting = "redis" | "no Redis" | "cache off";

/** Servers that a case is compared with in the same rounds. `small dataset` is the system over 10,000 statuses. */
export type Baseline = "node:http" | "Fastify" | "monolith" | "small dataset";

/** One row of the table. */
export interface Trial {
  /** Its name on the command line; its goals stand under it. */
  name: string;
  /** Its title in the table. */
  title: string;
  setting: Setting;
  /** The requests from which it draws. */
  targets: readonly Target[];
  /** Sends the entity tag of each reply back, so that every reply is a 304. */
  isConditional?: boolean;
  /** Asks for what does not exist, so that every reply is a 404. */
  isUnknown?: boolean;
  /** Sends the session of a user who is registered for it, in this way. */
  signedInBy?: "bearer" | "cookie";
  /** Flushes Redis each second meanwhile. */
  isFlushed?: boolean;
  connections: number;
  baselines: readonly Baseline[];
}
