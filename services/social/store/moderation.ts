import type { Db } from "../../platform/postgres/pool.ts";

/** A user's report to the operator. */
interface NewReport {
  reporterId: bigint;
  userId: bigint;
  /** 0 for the user as a whole. */
  statusId: bigint;
  reason: string;
}

/** An open report. */
export interface ReportRow {
  id: bigint;
  reporter_id: bigint;
  reporter_screen_name: string;
  user_id: bigint;
  status_id: bigint;
  reason: string;
  created_at: Date;
}

/** The reported user, once for each reported status that still exists, or once without any. */
export interface ReportedRow {
  user_id: bigint;
  screen_name: string;
  suspended: boolean;
  status_id: bigint | null;
  status_text: string | null;
}

/**
 * Stores a report. A repeated report of the same user about the same thing gets the new reason and a new id, and is open again: an operator
 * who closes the earlier one has not seen it.
 */
export async function upsertReport(db: Db, { reporterId, userId, statusId, reason }: NewReport): Promise<void> {
  await db.query({
    name: "upsert-report",
    text: `insert into social.report (reporter_id, user_id, status_id, reason) values ($1, $2, $3, $4)
           on conflict (reporter_id, user_id, status_id)
           do update set id = excluded.id, reason = excluded.reason, created_at = excluded.created_at, closed_at = null`,
    values: [reporterId, userId, statusId, reason],
  });
}

/** Up to `limit` open reports after this one, the oldest first; without those of users who are being deleted. */
export async function listOpenReports(db: Db, afterId: bigint, limit: number): Promise<ReportRow[]> {
  const { rows } = await db.query<ReportRow>({
    name: "list-open-reports",
    text: `select report.id, reporter_id, screen_name as reporter_screen_name, report.user_id, status_id, reason, report.created_at
           from social.report join social.profile on profile.user_id = reporter_id
           where closed_at is null and report.id > $1
           order by report.id limit $2`,
    values: [afterId, limit],
  });
  return rows;
}

/** The users and statuses of these reports, which lie on other shards; without users who are being deleted. */
export async function listReported(
  db: Db,
  reports: readonly Pick<ReportRow, "user_id" | "status_id">[],
): Promise<ReportedRow[]> {
  const { rows } = await db.query<ReportedRow>({
    name: "list-reported",
    text: `select user_id, screen_name, suspended, status.id as status_id, text as status_text
           from social.profile left join social.status on author_id = user_id and status.id = any ($2::bigint[])
           where user_id = any ($1::bigint[])`,
    values: [reports.map((report) => report.user_id), reports.map((report) => report.status_id)],
  });
  return rows;
}

/** Closes a report, unless it is closed already; false when there is none with that id. */
export async function closeReportRow(db: Db, id: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "close-report",
    text: `update social.report set closed_at = least(closed_at, now()) where id = $1`,
    values: [id],
  });
  return rowCount !== 0;
}

/** Sets whether a user, whose row is locked, is suspended, and makes the user's reposts due (reposts-due.ts). Without a change there is no new version. */
export async function updateSuspended(db: Db, userId: bigint, suspended: boolean): Promise<void> {
  await db.query({
    name: "update-suspended",
    text: `update social.profile set
             suspended = $2, content_version = content_version + 1, reposts_due = content_version + 1, removed_at = statement_timestamp()
           where user_id = $1 and suspended <> $2`,
    values: [userId, suspended],
  });
}
