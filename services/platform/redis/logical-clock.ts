import { randomBytes } from "node:crypto";
import { repeat } from "../repeat.ts";
import type { RedisConnection } from "./connection.ts";
import { createTickLog } from "./tick-log.ts";

// A clock in Redis that does not depend on Redis's time: one key whose value, a tick, writers replace at short intervals. A
// process that sees a tick for the first time knows that the tick is younger than its own previous poll, by its own monotonic
// clock. So a token that names the tick under which it was read has an age that no change of a wall clock can shorten. A tick is
// `PLACE.WORD`: the place names the contents of one Redis since its first tick, and its process, so that two servers have different
// places.

/** The key of the clock; one key, so one slot of a Redis Cluster. */
const clockKey = "freshness:clock";

/** Milliseconds between two polls of the clock, for tokens of this lifetime. */
function pollMs(lifetimeMs: number): number {
  return Math.min(Math.max(lifetimeMs / 20, 50), 250);
}

/**
 * Milliseconds after which a token's tick is too old: the token's lifetime and six polls: two from when the writer saw the tick to when
 * the token was asked for, three for the age of the tick when the writer saw it, one for the reader's own poll.
 */
export function tickWindowMs(lifetimeMs: number): number {
  return lifetimeMs + 6 * pollMs(lifetimeMs);
}

/** The clock for readers of tokens. */
export interface ClockReader {
  /** Whether a tick first appeared in the Redis of this connection no longer ago than the window. */
  isRecent(tick: string): boolean;
  /** The time, by performance.now(), until which `isRecent` is true of a tick on this connection; -Infinity for an unknown one. */
  recentUntil(tick: string): number;
  close(): Promise<void>;
}

/** Follows the clock. @param lifetimeMs milliseconds for which tokens are stored */
export function followClock(connection: RedisConnection, lifetimeMs: number): ClockReader {
  const log = createTickLog(tickWindowMs(lifetimeMs));
  const polls = repeat(pollMs(lifetimeMs), async () => {
    const [generation, askedAt] = [connection.generation(), performance.now()];
    const group = { keys: [clockKey], arguments: [] };
    const [tick] = (await connection.background((redis) => redis.evalAll(readScript, [group]))) as (string | null)[];
    if (tick && connection.generation() === generation) log.note(tick, askedAt, generation);
  });
  const recentUntil = (tick: string) => log.recentUntil(tick, connection.generation());
  return { isRecent: (tick) => performance.now() <= recentUntil(tick), recentUntil, close: polls.stop };
}

/** The clock for writers of tokens, who advance it. */
export interface ClockWriter {
  /**
   * The name of the Redis behind the present connection, the same in all processes that share it; undefined while it is unknown, and
   * when that Redis has not let the clock be advanced for a window.
   */
  place(): string | undefined;
  /**
   * The tick for tokens that are read from now on; undefined while the clock is unknown. Not the newest one, so that readers have
   * seen it as well.
   */
  stamp(): string | undefined;
  /** Polls now. Never rejects. */
  poll(): Promise<void>;
  close(): Promise<void>;
}

/** Advances the clock, together with all other writers. @param lifetimeMs milliseconds for which tokens are stored */
export function advanceClock(connection: RedisConnection, lifetimeMs: number): ClockWriter {
  interface SeenTick {
    tick: string;
    place: string;
    generation: number;
    /** When it was first seen. */
    since: number;
  }
  let before: SeenTick | undefined;
  let last: SeenTick | undefined;
  let polledAt = Number.NEGATIVE_INFINITY;
  const current = (seen: SeenTick | undefined) => (seen?.generation === connection.generation() ? seen : undefined);

  async function poll(): Promise<void> {
    const [generation, now] = [connection.generation(), performance.now()];
    const known = current(last);
    // A tick lasts two polls, so that every reader sees each.
    const replaced = known && now - known.since >= 1.9 * pollMs(lifetimeMs) ? known.tick : "";
    // If the tick is missing on the same connection, the same Redis was flushed. A new connection may lead to another Redis.
    const group = { keys: [clockKey], arguments: [replaced, known?.place ?? "", newWord(), newWord()] };
    const [tick] = (await connection.background((redis) => redis.evalAll(tickScript, [group]))) as string[];
    if (tick === undefined || connection.generation() !== generation) return;
    polledAt = now;
    before = known;
    const place = tick.slice(0, tick.indexOf("."));
    last = tick === known?.tick ? known : { tick, place, generation, since: now };
  }

  const polls = repeat(pollMs(lifetimeMs), poll);
  return {
    // A Redis that refuses writes still answers a PING.
    place: () => (performance.now() - polledAt < tickWindowMs(lifetimeMs) ? current(last)?.place : undefined),
    stamp: () => current(before)?.tick,
    poll: () => poll().catch(() => {}),
    close: polls.stop,
  };
}

function newWord(): string {
  return randomBytes(9).toString("base64url");
}

// A replica has the ticks of its primary, and a drop reaches it later than the writer is answered. So readers poll by a script that
// only a primary runs: the clock has no expiry, and PERSIST changes nothing.
const readScript = `
redis.call('PERSIST', KEYS[1])
return { redis.call('GET', KEYS[1]) }`;

// One of several writers replaces a tick; the others see the new one. A place ends with the name of its server's process, as far as
// Redis gives it. On a new connection the tick of another process does not count: it was replicated or loaded, and that process may
// still have readers.
const tickScript = `
local tick, place = redis.call('GET', KEYS[1]), ARGV[2]
if place == '' then
  local info = redis.pcall('INFO', 'server')
  local server = type(info) == 'string' and string.match(info, 'run_id:(%x%x%x%x%x%x%x%x)')
  place = ARGV[3] .. (server and '-' .. server or '')
  if tick and server and not string.find(tick, '-' .. server .. '.', 1, true) then tick = false end
end
if not tick or tick == ARGV[1] then
  tick = place .. '.' .. ARGV[4]
  redis.call('SET', KEYS[1], tick)
end
return { tick }`;
