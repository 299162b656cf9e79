import { randomBytes } from "node:crypto";
import { repeat } from "../repeat.ts";
import type { RedisConnection } from "./connection.ts";
import { createTickLog } from "./tick-log.ts";

// A clock that lives in Redis and does not go by Redis's time: one key whose value, a tick, writers replace by another one at
// short intervals. Who sees a tick for the first time knows that it is younger than its own previous look, by its own monotonic
// clock. So a token that names the tick under which it was read has an age that no step of a wall clock makes smaller.
// A tick is `PLACE.WORD`: the place names what Redis holds from its first tick on, so that two servers have two.

/** Where the clock is; in one slot of a Redis Cluster. */
const clockKey = "freshness:clock";

/** Milliseconds between two looks at the clock, for tokens that may be kept for so many. */
function lookMs(keepMs: number): number {
  return Math.min(Math.max(keepMs / 20, 50), 250);
}

/**
 * Milliseconds after which a token's tick is too old: longer than the token is kept by Redis's time, since the tick was seen up
 * to two looks before the token was asked for, was up to three looks old then, and readers look as seldom.
 */
export function tickWindowMs(keepMs: number): number {
  return keepMs + 6 * lookMs(keepMs);
}

/** The clock as readers of tokens see it. */
export interface ClockReader {
  /** Whether a tick came up in the Redis of this connection, and no longer ago than the window. */
  isRecent(tick: string): boolean;
  close(): Promise<void>;
}

/** Follows the clock. @param keepMs milliseconds for which tokens are kept */
export function followClock(connection: RedisConnection, keepMs: number): ClockReader {
  const log = createTickLog(tickWindowMs(keepMs));
  const looks = repeat(lookMs(keepMs), async () => {
    const [number, askedAt] = [connection.number(), performance.now()];
    const tick = await connection.background((redis) => redis.commands.get(clockKey));
    if (tick !== null && connection.number() === number) log.note(tick, askedAt, number);
  });
  return { isRecent: (tick) => log.isRecent(tick, performance.now()), close: looks.stop };
}

/** The clock as writers keep it going. */
export interface ClockKeeper {
  /** What the present connection leads to, as far as it is known; the same for all who share one Redis. */
  place(): string | undefined;
  /**
   * A tick under which what is read from now on may be kept; undefined while the clock is not known. Not the newest one, so
   * that readers have seen it as well.
   */
  stamp(): string | undefined;
  /** Looks now. Never rejects. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps the clock going together with all other keepers. @param keepMs milliseconds for which tokens are kept */
export function keepClock(connection: RedisConnection, keepMs: number): ClockKeeper {
  interface Sight {
    tick: string;
    place: string;
    connection: number;
    /** When it was first seen. */
    since: number;
  }
  let [before, last]: (Sight | undefined)[] = [];
  const current = (sight: Sight | undefined) => (sight?.connection === connection.number() ? sight : undefined);

  async function look(): Promise<void> {
    const [number, now] = [connection.number(), performance.now()];
    const known = current(last);
    // Two looks long, so that every reader sees each.
    const replaced = known && now - known.since >= 1.9 * lookMs(keepMs) ? known.tick : "";
    // What is gone on the same connection was flushed, and it is the same Redis still; another one may be another Redis.
    const next = `${known?.place ?? newWord()}.${newWord()}`;
    const group = { keys: [clockKey], arguments: [replaced, next] };
    const [tick] = (await connection.background((redis) => redis.evalAll(tickScript, [group]))) as string[];
    if (tick === undefined || connection.number() !== number) return;
    before = known;
    const place = tick.slice(0, tick.indexOf("."));
    last = tick === known?.tick ? known : { tick, place, connection: number, since: now };
  }

  const looks = repeat(lookMs(keepMs), look);
  return {
    place: () => current(last)?.place,
    stamp: () => current(before)?.tick,
    look: () => look().catch(() => {}),
    close: looks.stop,
  };
}

function newWord(): string {
  return randomBytes(9).toString("base64url");
}

// Of several keepers one replaces a tick; the others see that it is another one.
const tickScript = `
local tick = redis.call('GET', KEYS[1])
if not tick or tick == ARGV[1] then
  tick = ARGV[2]
  redis.call('SET', KEYS[1], tick)
end
return { tick }`;
