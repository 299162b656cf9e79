import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../platform/log.ts";
import { createServicePool } from "../platform/postgres/pool.ts";
import { connectRedis, type RedisConnection } from "../platform/redis/connection.ts";
import { freshnessKey, viewerKey } from "../platform/redis/freshness-key.ts";
import { createLeasedValues } from "../platform/redis/leased-values.ts";
import { advanceClock, type ClockWriter } from "../platform/redis/logical-clock.ts";
import { nameKey } from "../platform/rules/screen-name.ts";
import type { SocialConfig } from "./config.ts";
import type { Subject } from "./domain/subjects.ts";
import { startRegistration, waitMsFor } from "./registration.ts";

/** The freshness tokens of this service's users: what gateways may store, and how a write drops it. */
export interface Freshness {
  /** To be called before tokens are read. Gives for how long readers may store them, once it is known where all processes announce. */
  offer(): (agreedPlace: string | null) => TokenOffer;
  /**
   * To be awaited between the commit of a write and its answer: when it has resolved, no reader takes an earlier token of
   * these subjects for the present one.
   */
  announce(subjects: readonly Subject[]): Promise<void>;
  /**
   * The same for states that a reader is about to be shown whose gateway cannot raise tokens in Redis: to be awaited between
   * the read and its answer.
   */
  announceStates(subjectKeys: readonly string[]): Promise<void>;
  /** Resolves when the other processes know of this one; writes are served after that. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** For how many milliseconds tokens may be stored, 0 for not at all, and under which tick. */
export interface TokenOffer {
  keepMs: number;
  tick: string;
}

/** Freshness by the Redis that the configuration names; without one no reader may store tokens. */
export function createFreshness(config: SocialConfig, log: Log): Freshness {
  const redis =
    config.redisUrls.length === 0
      ? undefined
      : connectRedis(config.redisUrls, "roost-social", log, config.redisTimeoutMs);
  const clock = redis && advanceClock(redis, config.freshnessMs);
  const drop = redis && clock ? dropsIn(redis, clock) : async () => true;
  const findPlace = redis && clock ? () => findIn(redis, clock) : async () => "";
  // A pool of its own: a beat that waits for busy connections would be late.
  const pool = createServicePool(config, "roost-social-registration", log);
  const registration = startRegistration(pool, log, config.freshnessMs, findPlace);

  async function announceStates(subjectKeys: readonly string[]): Promise<void> {
    if (subjectKeys.length === 0) return;
    const keys = subjectKeys.map(freshnessKey);
    // By then every earlier token and lease has expired by itself, so no write waits longer, even if no drop is confirmed.
    const endedAt = performance.now() + waitMsFor(config.freshnessMs);
    for (;;) {
      const place = registration.place();
      const isDropped = place !== undefined && (await drop(keys, place)) && registration.place() === place;
      const untilEndedMs = Math.max(endedAt - performance.now(), registration.othersEndInMs());
      const waitMs = isDropped ? Math.min(registration.settlesInMs(), untilEndedMs) : untilEndedMs;
      if (waitMs <= 0) return;
      // Tries again meanwhile: Redis may be back, or this process may be registered as one without Redis.
      await sleep(Math.min(waitMs, retryMs));
    }
  }

  return {
    offer() {
      const tick = clock?.stamp();
      return (agreedPlace) =>
        tick !== undefined && tick.startsWith(`${agreedPlace}.`) && registration.place() === agreedPlace
          ? { keepMs: config.freshnessMs, tick }
          : { keepMs: 0, tick: "" };
    },
    announce: (subjects) => announceStates([...new Set(subjects.map(subjectKey))]),
    announceStates,
    ready: registration.ready,
    async close() {
      await registration.close();
      await clock?.close();
      redis?.close();
    },
  };
}

function subjectKey(subject: Subject): string {
  return subject.kind === "author" ? nameKey(subject.screenName) : viewerKey(subject.userId);
}

/** Milliseconds between two tries to drop a token. */
const retryMs = 250;

/** Drops tokens; says whether the Redis of this place confirmed it; true also without a Redis. */
function dropsIn(redis: RedisConnection, clock: ClockWriter) {
  const tokens = createLeasedValues(redis);
  return async (keys: readonly string[], place: string): Promise<boolean> => {
    if (place === "") return true;
    // A new connection may lead elsewhere.
    if (clock.place() === undefined) await clock.poll();
    if (clock.place() !== place) return false;
    const number = redis.number();
    return tokens.drop(keys).then(
      () => redis.number() === number,
      () => false,
    );
  };
}

/** Waits for a Redis that is just being connected to, or was late once; "" when that takes long. */
async function findIn(redis: RedisConnection, clock: ClockWriter): Promise<string> {
  const place = () => (redis.isUsable() ? clock.place() : undefined);
  for (let tries = 0; tries < 10 && place() === undefined; tries++) {
    if (tries > 0) await sleep(50);
    await clock.poll();
  }
  return place() ?? "";
}
