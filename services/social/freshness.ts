import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../platform/log.ts";
import { createServicePool } from "../platform/postgres/pool.ts";
import { connectRedis, type RedisConnection } from "../platform/redis/connection.ts";
import { freshnessKey } from "../platform/redis/freshness-key.ts";
import { createLeasedValues } from "../platform/redis/leased-values.ts";
import { type ClockKeeper, keepClock } from "../platform/redis/logical-clock.ts";
import type { SocialConfig } from "./config.ts";
import type { Subject } from "./domain/subjects.ts";
import { startRegistration, waitMsFor } from "./registration.ts";

/** What readers keep of this service's users, and how a write takes it away from them. */
export interface Freshness {
  /** To be called before tokens are read: gives what readers may do with them, once it is known where all processes announce. */
  offer(): (agreedPlace: string | null) => TokenOffer;
  /**
   * To be awaited between the commit of a write and its answer: when it has resolved, no reader takes an earlier token of
   * these subjects for the present one.
   */
  announce(subjects: readonly Subject[]): Promise<void>;
  /** Resolves when the other processes know of this one; writes are served after that. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** For how many milliseconds tokens may be kept, 0 for not at all, and under which tick. */
export interface TokenOffer {
  keepMs: number;
  tick: string;
}

/** Freshness by the Redis that the configuration names; without one no reader may keep anything. */
export function createFreshness(config: SocialConfig, log: Log): Freshness {
  const redis =
    config.redisUrls.length === 0
      ? undefined
      : connectRedis(config.redisUrls, "roost-social", log, config.redisTimeoutMs);
  const clock = redis && keepClock(redis, config.freshnessMs);
  const drop = redis && clock ? dropsIn(redis, clock) : async () => true;
  const findPlace = clock ? () => findIn(clock) : async () => "";
  // A pool of its own: a beat that waits for busy connections would be late.
  const pool = createServicePool(config, "roost-social-registration", log);
  const registration = startRegistration(pool, log, config.freshnessMs, findPlace);

  return {
    offer() {
      const tick = clock?.stamp();
      return (agreedPlace) =>
        tick !== undefined && tick.startsWith(`${agreedPlace}.`) && registration.place() === agreedPlace
          ? { keepMs: config.freshnessMs, tick }
          : { keepMs: 0, tick: "" };
    },
    async announce(subjects) {
      const keys = [...new Set(subjects.map(({ screenName }) => freshnessKey(screenName.toLowerCase())))];
      if (keys.length === 0) return;
      const place = registration.place();
      const isDropped = place !== undefined && (await drop(keys, place)) && registration.place() === place;
      // Where it is not confirmed every token and every lease from before the commit has to end by itself.
      const waitMs = Math.max(isDropped ? 0 : waitMsFor(config.freshnessMs), registration.settlesInMs());
      if (waitMs > 0) await sleep(waitMs);
    },
    ready: registration.ready,
    async close() {
      await registration.close();
      await clock?.close();
      redis?.close();
    },
  };
}

/** Drops tokens; says whether that was confirmed by the Redis of this place. */
function dropsIn(redis: RedisConnection, clock: ClockKeeper) {
  const tokens = createLeasedValues(redis);
  return async (keys: readonly string[], place: string | null): Promise<boolean> => {
    // A new connection may lead elsewhere.
    if (clock.place() === undefined) await clock.look();
    if (clock.place() !== place) return false;
    const number = redis.number();
    return tokens.drop(keys).then(
      () => redis.number() === number,
      () => false,
    );
  };
}

/** Waits for a Redis that is just being connected to; null when that takes long. */
async function findIn(clock: ClockKeeper): Promise<string | null> {
  for (let tries = 0; tries < 10 && clock.place() === undefined; tries++) {
    if (tries > 0) await sleep(50);
    await clock.look();
  }
  return clock.place() ?? null;
}
