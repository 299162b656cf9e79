import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import { createServicePool } from "../postgres/pool.ts";
import { connectRedis, type RedisConnection } from "../redis/connection.ts";
import { freshnessKey } from "../redis/freshness-key.ts";
import { createLeasedValues } from "../redis/leased-values.ts";
import { advanceClock, type ClockWriter } from "../redis/logical-clock.ts";
import type { RedisSettings } from "../redis/settings.ts";
import type { ServiceSettings } from "../service-settings.ts";
import { startAnnouncerRegistration, waitMsFor } from "./announcer-registration.ts";
import type { Announcers } from "./announcers.ts";

/** Tells gateways how long they may store this service's freshness tokens, and drops them when a write changes their subjects. */
export interface Announcer {
  /**
   * To be called before tokens are read. It returns a function that takes the place where all processes announce, and returns for how
   * long readers may store these tokens.
   */
  offer(): (agreedPlace: string | null) => TokenOffer;
  /**
   * To be awaited between the commit of a write and its answer; also before states are returned that a gateway cannot raise in
   * Redis. Once it has resolved, no reader uses an earlier token of these subjects.
   */
  announce(subjectKeys: readonly string[]): Promise<void>;
  /** Resolves after the first attempt to tell the other processes of this one. Announcements wait until an attempt has succeeded. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** The part of a service's configuration that an announcer needs. */
export type AnnouncerConfig = RedisSettings & Pick<ServiceSettings, "databaseUrl" | "poolerUrl">;

/** For how many milliseconds tokens may be stored, 0 for not at all, and under which tick. */
export interface TokenOffer {
  keepMs: number;
  tick: string;
}

/**
 * Announces in the Redis that the configuration names. Without one, readers may store no tokens.
 * @param name of the service, for its connections
 */
export function createAnnouncer(config: AnnouncerConfig, announcers: Announcers, name: string, log: Log): Announcer {
  const redis =
    config.redisUrls.length === 0 ? undefined : connectRedis(config.redisUrls, name, log, config.redisTimeoutMs);
  const clock = redis && advanceClock(redis, config.freshnessMs);
  const drop = redis && clock ? createDrop(redis, clock) : async () => true;
  const findPlace = redis && clock ? () => findPlaceIn(redis, clock) : async () => "";
  // A pool of its own: a heartbeat that waited for a busy connection would be late.
  const pool = createServicePool(config, `${name}-registration`, log);
  const registration = startAnnouncerRegistration(pool, announcers, log, config.freshnessMs, findPlace);

  async function announceKeys(keys: readonly string[]): Promise<void> {
    // By then every token and lease from before the commit has expired, even if no drop is confirmed. A write waits longer only where
    // another process has a longer token lifetime (`othersEndInMs`).
    const endedAt = performance.now() + waitMsFor(config.freshnessMs);
    for (;;) {
      const place = registration.place();
      const isDropped = place !== undefined && (await drop(keys, place)) && registration.place() === place;
      const untilEndedMs = Math.max(endedAt - performance.now(), registration.othersEndInMs());
      const waitMs = isDropped ? Math.min(registration.settlesInMs(), untilEndedMs) : untilEndedMs;
      if (waitMs <= 0) return;
      // Tries again in the meantime: Redis may be back, or this process may be registered as one without Redis.
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
    announce: gather(announceKeys),
    ready: registration.ready,
    async close() {
      await registration.close();
      await clock?.close();
      redis?.close();
    },
  };
}

/** Coalesces announcements of the same moment, such as those of the writes of one transaction. */
function gather(announceKeys: (keys: readonly string[]) => Promise<void>): Announcer["announce"] {
  let gathered: { keys: Set<string>; announced: Promise<void> } | undefined;
  return async (subjectKeys) => {
    if (subjectKeys.length === 0) return;
    if (gathered === undefined) {
      const keys = new Set<string>();
      const announced = new Promise<void>((resolve, reject) => {
        process.nextTick(() => {
          gathered = undefined;
          announceKeys([...keys]).then(resolve, reject);
        });
      });
      gathered = { keys, announced };
    }
    for (const key of subjectKeys) gathered.keys.add(freshnessKey(key));
    await gathered.announced;
  };
}

/** Milliseconds between two attempts to drop a token. */
const retryMs = 250;

/** Drops tokens. Returns whether the Redis of this place confirmed it; true also without a Redis. */
function createDrop(redis: RedisConnection, clock: ClockWriter) {
  const tokens = createLeasedValues(redis);
  return async (keys: readonly string[], place: string): Promise<boolean> => {
    if (place === "") return true;
    // A new connection may lead to another Redis.
    if (clock.place() === undefined) await clock.poll();
    if (clock.place() !== place) return false;
    const generation = redis.generation();
    return tokens.drop(keys).then(
      () => redis.generation() === generation,
      () => false,
    );
  };
}

/** Waits for a Redis to which the connection is being made, or which answered late once; "" when that takes too long. */
async function findPlaceIn(redis: RedisConnection, clock: ClockWriter): Promise<string> {
  const place = () => (redis.isUsable() ? clock.place() : undefined);
  // A poll of a Redis that does not answer takes a second, and without a heartbeat other processes consider this one ended.
  const end = performance.now() + maxFindMs;
  for (let tries = 0; tries < 10 && place() === undefined && performance.now() < end; tries++) {
    if (tries > 0) await sleep(50);
    await clock.poll();
  }
  return place() ?? "";
}

/** Milliseconds after which a Redis is not polled again: less than half of the time after which a process counts as ended (announcer-registration.ts). */
const maxFindMs = 3_000;
