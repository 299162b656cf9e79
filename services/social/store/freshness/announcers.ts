import type { Db } from "../../../platform/postgres/pool.ts";

/** One social process, as it is registered (migration 0008). */
export interface AnnouncerRow {
  id: string;
  place: string | null;
  keep_ms: number;
  beat: bigint;
  is_settled: boolean;
  has_left: boolean;
}

/** What a process says of itself. */
export type OwnAnnouncer = Omit<AnnouncerRow, "beat" | "has_left">;

/**
 * What a statement selects, and from where, to learn where all registered processes announce, with one token lifetime (""
 * for nowhere, null when they do not agree), and whether all of them announce viewers.
 */
export const agreement = `
  case when min(place) = max(place) and min(keep_ms) = max(keep_ms) then min(place) end as agreed_place,
  bool_and(announces_viewers) as announces_viewers from social.announcer where not has_left`;

/** Lets one process at a time register: the later one sees the earlier. For the rest of the transaction. */
export async function lockAnnouncers(db: Db): Promise<void> {
  await db.query("lock table social.announcer in share row exclusive mode");
}

/** Registers a process, or its new place. */
export async function upsertAnnouncer(db: Db, row: OwnAnnouncer): Promise<void> {
  await db.query({
    name: "upsert-announcer",
    text: `insert into social.announcer (id, place, keep_ms, is_settled, announces_viewers) values ($1, $2, $3, $4, true)
           on conflict (id) do update set place = excluded.place, keep_ms = excluded.keep_ms,
             beat = announcer.beat + 1, is_settled = excluded.is_settled`,
    values: [row.id, row.place, row.keep_ms, row.is_settled],
  });
}

/** Shows that a process lives; false when it is not registered, or as another than it thinks. */
export async function beatAnnouncer(db: Db, row: OwnAnnouncer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "beat-announcer",
    text: `update social.announcer set beat = beat + 1, is_settled = $4
           where id = $1 and place is not distinct from $2 and keep_ms = $3`,
    values: [row.id, row.place, row.keep_ms, row.is_settled],
  });
  return rowCount === 1;
}

/** All registered processes. */
export async function listAnnouncers(db: Db): Promise<AnnouncerRow[]> {
  const text = "select id, place, keep_ms, beat, is_settled, has_left from social.announcer";
  return (await db.query<AnnouncerRow>({ name: "list-announcers", text })).rows;
}

/** Says that a process has ended. */
export async function leaveAnnouncers(db: Db, id: string): Promise<void> {
  const text = "update social.announcer set has_left = true where id = $1";
  await db.query({ name: "leave-announcers", text, values: [id] });
}

/** Deletes a process that has shown no life since that beat. */
export async function deleteAnnouncer(db: Db, { id, beat }: AnnouncerRow): Promise<void> {
  const text = "delete from social.announcer where id = $1 and beat = $2";
  await db.query({ name: "delete-announcer", text, values: [id, beat] });
}
