import type { Db } from "../postgres/pool.ts";

/** The row of one process that announces what its writes changed (migration 0008 of both services). */
export interface AnnouncerRow {
  id: string;
  place: string | null;
  keep_ms: number;
  beat: bigint;
  is_settled: boolean;
  has_left: boolean;
}

/** The part of its row that a process writes itself. */
export type OwnAnnouncer = Omit<AnnouncerRow, "beat" | "has_left">;

/** The table `announcer` of one service's schema. */
export interface Announcers {
  service: "account" | "social";
  /** Lets one process at a time register, so that the later one sees the earlier one. The lock lasts for the rest of the transaction. */
  lock(db: Db): Promise<void>;
  /** Registers a process, or its new place. */
  upsert(db: Db, row: OwnAnnouncer): Promise<void>;
  /** Shows that a process still runs; false when its row is missing, or is not what it wrote. */
  beat(db: Db, row: OwnAnnouncer): Promise<boolean>;
  /** All registered processes. */
  list(db: Db): Promise<AnnouncerRow[]>;
  /** Notes that a process has ended. */
  leave(db: Db, id: string): Promise<void>;
  /** Deletes a process whose beat has not changed since that row was read. */
  delete(db: Db, row: AnnouncerRow): Promise<void>;
}

/**
 * The select item `agreed_place` over that table where not has_left: where all registered processes announce, with one token
 * lifetime. "" for nowhere, null when they do not agree.
 */
export const agreedPlaceColumn = `
  case when min(place) = max(place) and min(keep_ms) = max(keep_ms) then min(place) end as agreed_place`;

/**
 * @param schema the service's own
 * @param flags columns that are true for a process of this release and false for earlier ones
 */
export function announcersIn(schema: Announcers["service"], flags: readonly string[]): Announcers {
  const columns = ["id", "place", "keep_ms", "is_settled", "beat", ...flags].join(", ");
  // A row that is inserted again after a deletion must differ from the row that other processes have read: they would delete it once more.
  const firstBeat = "floor(random() * 1e15)::bigint";
  const own = ["$1", "$2", "$3", "$4", firstBeat, ...flags.map(() => "true")].join(", ");
  return {
    service: schema,
    async lock(db) {
      await db.query(`lock table ${schema}.announcer in share row exclusive mode`);
    },
    async upsert(db, row) {
      await db.query({
        name: "upsert-announcer",
        text: `insert into ${schema}.announcer (${columns}) values (${own})
               on conflict (id) do update set place = excluded.place, keep_ms = excluded.keep_ms,
                 beat = announcer.beat + 1, is_settled = excluded.is_settled`,
        values: [row.id, row.place, row.keep_ms, row.is_settled],
      });
    },
    async beat(db, row) {
      const { rowCount } = await db.query({
        name: "beat-announcer",
        text: `update ${schema}.announcer set beat = beat + 1, is_settled = $4
               where id = $1 and place is not distinct from $2 and keep_ms = $3`,
        values: [row.id, row.place, row.keep_ms, row.is_settled],
      });
      return rowCount === 1;
    },
    async list(db) {
      const text = `select id, place, keep_ms, beat, is_settled, has_left from ${schema}.announcer`;
      return (await db.query<AnnouncerRow>({ name: "list-announcers", text })).rows;
    },
    async leave(db, id) {
      const text = `update ${schema}.announcer set has_left = true where id = $1`;
      await db.query({ name: "leave-announcers", text, values: [id] });
    },
    async delete(db, { id, beat }) {
      const text = `delete from ${schema}.announcer where id = $1 and beat = $2`;
      await db.query({ name: "delete-announcer", text, values: [id, beat] });
    },
  };
}
