import { randomUUID } from "node:crypto";
import type { Log } from "../log.ts";
import { type Pool, transaction } from "../postgres/pool.ts";
import { tickWindowMs } from "../redis/logical-clock.ts";
import { repeat } from "../repeat.ts";
import { withTimeout } from "../with-timeout.ts";
import type { AnnouncerRow, Announcers, OwnAnnouncer } from "./announcers.ts";

/** How this process is known to the others that write, so that all of them know where all announce. */
export interface Registration {
  /** Where it is known to announce, "" for nowhere, so that nothing may be stored; undefined while that is not certain. */
  place(): string | undefined;
  /** Milliseconds until every token has expired that was stored when the others did not know of this place. */
  settlesInMs(): number;
  /** Milliseconds until every token has expired that other processes with a longer lifetime did not drop here. */
  othersEndInMs(): number;
  /** Resolves after the first attempt. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/**
 * Registers this process and stays registered.
 * @param announcers where
 * @param freshnessMs for how many milliseconds tokens may be stored that this service gives out
 * @param placeNow where it announces; "" without a Redis, and while it is not found
 */
export function startRegistration(
  pool: Pool,
  announcers: Announcers,
  log: Log,
  freshnessMs: number,
  placeNow: () => Promise<string>,
): Registration {
  const id = randomUUID();
  const { service } = announcers;
  let place: string | undefined;
  let settledAt = 0;
  let othersEndAt = 0;
  /** Where gateways may have stored tokens of this process, and when all others dropped tokens there too. */
  let former: { place: string; settledAt: number } | undefined;
  /** When it was last shown that the row is there: by the monotonic clock, and by the wall clock, which also counts while the machine sleeps. */
  let shownAt: { monotonic: number; wall: number } | undefined;
  let isAgreed = true;
  const heartbeats = new Map<string, { beat: bigint; since: number }>();
  // A process that cannot show its row counts as gone: the server may have been restored to a time before the row.
  pool.on("error", () => {
    shownAt = undefined;
  });

  async function register(next: string): Promise<void> {
    // Until it is done it is not certain which place the others see.
    shownAt = undefined;
    if (place === "" && performance.now() >= settledAt) former = undefined;
    const row = { id, place: next, keep_ms: freshnessMs, is_settled: false };
    const { waitMs, longestMs } = await transaction(pool, async (db) => {
      await announcers.lock(db);
      const others = (await announcers.list(db)).filter((other) => other.id !== id);
      const hasMoved = former !== undefined && former.place !== next;
      const isSettled = !hasMoved && others.every((other) => isSettledWith(other, row));
      await announcers.upsert(db, { ...row, is_settled: isSettled });
      const longestMs = Math.max(freshnessMs, ...others.map(({ keep_ms }) => keep_ms));
      return { waitMs: isSettled ? 0 : waitMsFor(longestMs), longestMs };
    });
    if (longestMs > freshnessMs) othersEndAt = performance.now() + waitMs;
    // If it need not wait, tokens that were stored while it had no place are where it announces now.
    const begunAt = place === "" && next !== "" ? (former?.settledAt ?? 0) : settledAt;
    settledAt = Math.max(begunAt, performance.now() + waitMs);
    if (next !== "") former = { place: next, settledAt };
    place = next;
  }

  async function show(): Promise<void> {
    const shown = { monotonic: performance.now(), wall: Date.now() };
    try {
      const found = await placeNow();
      const isKnown =
        found === place &&
        (await announcers.beat(pool, { id, place, keep_ms: freshnessMs, is_settled: performance.now() >= settledAt }));
      if (!isKnown) await register(found);
      shownAt = shown;
      await checkOthers(await announcers.list(pool));
    } catch (error) {
      shownAt = undefined;
      throw error;
    }
  }

  /** Deletes the rows of processes that ended without deleting them, and logs whether those that run agree. */
  async function checkOthers(rows: AnnouncerRow[]): Promise<void> {
    const now = performance.now();
    for (const row of rows) {
      const known = heartbeats.get(row.id);
      if (known?.beat !== row.beat) heartbeats.set(row.id, { beat: row.beat, since: now });
      else if (now - known.since > endedAfterMs(row.keep_ms)) await announcers.delete(pool, row);
    }
    for (const other of heartbeats.keys()) if (!rows.some(({ id }) => id === other)) heartbeats.delete(other);
    const present = rows.filter(({ has_left }) => !has_left);
    const agrees = [present.flatMap(({ place }) => place ?? []), present.map(({ keep_ms }) => keep_ms)].every(
      (values) => new Set<string | number>(values).size <= 1,
    );
    if (agrees === isAgreed) return;
    isAgreed = agrees;
    if (agrees) log.info(`all ${service} processes use one Redis and one FRESHNESS_MS: tokens may be stored`);
    else log.warn(`not all ${service} processes use one Redis and one FRESHNESS_MS: no tokens may be stored`);
  }

  function isShown(): boolean {
    if (shownAt === undefined) return false;
    return Math.max(performance.now() - shownAt.monotonic, Date.now() - shownAt.wall) < shownForMs;
  }

  let tried = () => {};
  const ready = new Promise<void>((resolve) => {
    tried = resolve;
  });
  const beats = repeat(beatMs, () => show().finally(tried));
  return {
    place: () => (isShown() ? place : undefined),
    settlesInMs: () => Math.max(settledAt - performance.now(), 0),
    othersEndInMs: () => Math.max(othersEndAt - performance.now(), 0),
    ready,
    async close() {
      await beats.stop();
      await withTimeout(1_000, announcers.leave(pool, id)).catch(() => {});
      await pool.end();
    },
  };
}

/**
 * Whether a new process like this one drops every token that the other one can have given out to be stored. A process without
 * a place gives out none.
 */
function isSettledWith(other: AnnouncerRow, own: OwnAnnouncer): boolean {
  const isSafe = other.place === own.place || other.place === "";
  return isSafe && other.is_settled && other.keep_ms === own.keep_ms;
}

/** Milliseconds until a token has expired that is stored now, measured by another clock than its reader's. */
export function waitMsFor(freshnessMs: number): number {
  return tickWindowMs(freshnessMs) * clockMargin;
}

/** Two clocks measure the same time: a reader's and ours. */
const clockMargin = 1.05;

/** Milliseconds from one beat to the next. */
const beatMs = 500;

/** Milliseconds for which a beat shows that the row is there. */
const shownForMs = 7_500;

/** Milliseconds without a beat after which a process counts as ended: longer than a token lives after the process knew that its row may be deleted. */
function endedAfterMs(freshnessMs: number): number {
  return Math.max(10_000, 4 * tickWindowMs(freshnessMs));
}
