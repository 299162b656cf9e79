import { randomUUID } from "node:crypto";
import type { Log } from "../log.ts";
import { type Pool, transaction } from "../postgres/pool.ts";
import { tickWindowMs } from "../redis/logical-clock.ts";
import { repeat } from "../repeat.ts";
import { withTimeout } from "../with-timeout.ts";
import type { AnnouncerRow, Announcers, OwnAnnouncer } from "./announcers.ts";

/** The registration of this process with the other writers of its service, so that each knows where all announce. */
export interface Registration {
  /**
   * The place where it is registered to announce. "" for nowhere: then no token may be stored. Undefined while it is not
   * certain.
   */
  place(): string | undefined;
  /** Milliseconds until every token has expired that was stored before the other processes knew of this place. */
  settlesInMs(): number;
  /**
   * Milliseconds until every token with a longer lifetime has expired that was stored before this process registered. Infinity before
   * it has registered: it does not know those lifetimes.
   */
  othersEndInMs(): number;
  /** Resolves after the first attempt to register, also if it failed. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/**
 * Registers this process and stays registered.
 * @param announcers the table to register in
 * @param freshnessMs for how many milliseconds the tokens of this service may be stored
 * @param placeNow where it announces; "" without a Redis, and while none is found
 */
export function startAnnouncerRegistration(
  pool: Pool,
  announcers: Announcers,
  log: Log,
  freshnessMs: number,
  placeNow: () => Promise<string>,
): Registration {
  const id = randomUUID();
  let place: string | undefined;
  let settledAt = 0;
  let othersEndAt = 0;
  /** The place where gateways may have stored tokens of this process, and the time from which all others drop tokens there too. */
  let former: { place: string; settledAt: number } | undefined;
  /**
   * When the row was last known to be there: by the monotonic clock, and by the wall clock, which also runs while the machine
   * sleeps.
   */
  let heartbeatAt: { monotonic: number; wall: number } | undefined;
  const checkOthers = createOthersCheck(pool, announcers, log, id);
  // A process that cannot show its row counts as gone: the server may have been restored to a time before the row.
  pool.on("error", () => {
    heartbeatAt = undefined;
  });

  async function register(next: string): Promise<void> {
    // Until the registration is done it is not certain which place the others see.
    heartbeatAt = undefined;
    if (place === "" && performance.now() >= settledAt) former = undefined;
    const row = { id, place: next, keep_ms: freshnessMs, is_settled: false };
    const hasMoved = former !== undefined && former.place !== next;
    const { waitMs, longestMs } = await upsertRow(pool, announcers, row, hasMoved);
    if (longestMs > freshnessMs) othersEndAt = performance.now() + waitMs;
    // No token was stored while it had no place, so the earlier moment of this place still holds.
    const begunAt = place === "" && next !== "" ? (former?.settledAt ?? 0) : settledAt;
    settledAt = Math.max(begunAt, performance.now() + waitMs);
    if (next !== "") former = { place: next, settledAt };
    place = next;
  }

  async function sendHeartbeat(): Promise<void> {
    const sentAt = { monotonic: performance.now(), wall: Date.now() };
    try {
      const found = await placeNow();
      const isKnown =
        found === place &&
        (await announcers.beat(pool, { id, place, keep_ms: freshnessMs, is_settled: performance.now() >= settledAt }));
      if (!isKnown) await register(found);
      heartbeatAt = sentAt;
      await checkOthers(await announcers.list(pool));
    } catch (error) {
      heartbeatAt = undefined;
      throw error;
    }
  }

  function isHeartbeatFresh(): boolean {
    if (heartbeatAt === undefined) return false;
    return Math.max(performance.now() - heartbeatAt.monotonic, Date.now() - heartbeatAt.wall) < heartbeatValidMs;
  }

  let tried = () => {};
  const ready = new Promise<void>((resolve) => {
    tried = resolve;
  });
  const sending = repeat(heartbeatMs, () => sendHeartbeat().finally(tried));
  return {
    place: () => (isHeartbeatFresh() ? place : undefined),
    settlesInMs: () => Math.max(settledAt - performance.now(), 0),
    othersEndInMs: () =>
      place === undefined ? Number.POSITIVE_INFINITY : Math.max(othersEndAt - performance.now(), 0),
    ready,
    async close() {
      await sending.stop();
      await withTimeout(1_000, announcers.leave(pool, id)).catch(() => {});
      await pool.end();
    },
  };
}

/**
 * Writes the row of a process.
 * @param hasMoved whether tokens of it may be stored at another place
 * @returns how many milliseconds it has to wait until all others' tokens have expired that it does not drop, and the longest
 * lifetime of a token
 */
function upsertRow(pool: Pool, announcers: Announcers, row: OwnAnnouncer, hasMoved: boolean) {
  return transaction(pool, async (db) => {
    await announcers.lock(db);
    const others = (await announcers.list(db)).filter(({ id }) => id !== row.id);
    const isSettled = !hasMoved && others.every((other) => isSettledWith(other, row));
    await announcers.upsert(db, { ...row, is_settled: isSettled });
    const longestMs = Math.max(row.keep_ms, ...others.map(({ keep_ms }) => keep_ms));
    return { waitMs: isSettled ? 0 : waitMsFor(longestMs), longestMs };
  });
}

/**
 * Checks all rows: deletes those of processes that ended without deleting them, and logs when the running ones begin or cease to
 * agree.
 */
function createOthersCheck(pool: Pool, announcers: Announcers, log: Log, ownId: string) {
  const { service } = announcers;
  const heartbeats = new Map<string, { beat: bigint; since: number }>();
  let isAgreed = true;

  async function deleteEnded(rows: readonly AnnouncerRow[]): Promise<void> {
    const now = performance.now();
    for (const row of rows) {
      // Its own heartbeat may have been late for that long; its row is new then.
      if (row.id === ownId) continue;
      const known = heartbeats.get(row.id);
      if (known?.beat !== row.beat) heartbeats.set(row.id, { beat: row.beat, since: now });
      else if (now - known.since > endedAfterMs(row.keep_ms)) await announcers.delete(pool, row);
    }
    for (const other of heartbeats.keys()) if (!rows.some(({ id }) => id === other)) heartbeats.delete(other);
  }

  return async (rows: readonly AnnouncerRow[]): Promise<void> => {
    await deleteEnded(rows);
    const present = rows.filter(({ has_left }) => !has_left);
    const agrees = [present.flatMap(({ place }) => place ?? []), present.map(({ keep_ms }) => keep_ms)].every(
      (values) => new Set<string | number>(values).size <= 1,
    );
    if (agrees === isAgreed) return;
    isAgreed = agrees;
    if (agrees) log.info(`all ${service} processes use one Redis and one FRESHNESS_MS: tokens may be stored`);
    else log.warn(`not all ${service} processes use one Redis and one FRESHNESS_MS: no tokens may be stored`);
  };
}

/**
 * Whether this process drops every token of the other one that may be stored. A process without a place has none stored.
 */
function isSettledWith(other: AnnouncerRow, own: OwnAnnouncer): boolean {
  const isSafe = other.place === own.place || other.place === "";
  return isSafe && other.is_settled && other.keep_ms === own.keep_ms;
}

/** Milliseconds after which a token that is stored now has expired, by a clock other than its reader's. */
export function waitMsFor(freshnessMs: number): number {
  return tickWindowMs(freshnessMs) * clockMargin;
}

/** The factor by which a reader's clock and ours may differ in speed. */
const clockMargin = 1.05;

/** Milliseconds from one heartbeat to the next. */
const heartbeatMs = 500;

/** Milliseconds for which a heartbeat proves that the row is there. */
const heartbeatValidMs = 7_500;

/**
 * Milliseconds without a heartbeat after which a process counts as ended. Longer than a token lives after the process has noticed that
 * its row may be deleted.
 */
function endedAfterMs(freshnessMs: number): number {
  return Math.max(10_000, 4 * tickWindowMs(freshnessMs));
}
