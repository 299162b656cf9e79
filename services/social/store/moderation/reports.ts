import type { Db } from "../../../platform/postgres/pool.ts";

/** What a user tells the operator. */
export interface NewReport {
  reporterId: bigint;
  userId: bigint;
  /** 0 for the user as a whole. */
  statusId: bigint;
  reason: string;
}

/** An open report with what it is about. */
export interface ReportRow {
  id: bigint;
  reporter_id: bigint;
  reporter_screen_name: string;
  user_id: bigint;
  screen_name: string;
  suspended: boolean;
  status_id: bigint;
  status_text: string | null;
  reason: string;
  created_at: Date;
}

/** Keeps a report; one of the same user about the same thing gets the new reason, and is open again. */
export async function upsertReport(db: Db, { reporterId, userId, statusId, reason }: NewReport): Promise<void> {
  await db.query({
    name: "upsert-report",
    text: `insert into social.report (reporter_id, user_id, status_id, reason) values ($1, $2, $3, $4)
           on conflict (reporter_id, user_id, status_id)
           do update set reason = excluded.reason, created_at = excluded.created_at, closed_at = null`,
    values: [reporterId, userId, statusId, reason],
  });
}

/** Up to `limit` open reports behind this one, the oldest first; without those of and about users who are being deleted. */
export async function listOpenReports(db: Db, afterId: bigint, limit: number): Promise<ReportRow[]> {
  const { rows } = await db.query<ReportRow>({
    name: "list-open-reports",
    text: `select report.id, reporter_id, reporter.screen_name as reporter_screen_name, report.user_id, reported.screen_name,
             reported.suspended, status_id, status.text as status_text, reason, report.created_at
           from social.report
           join social.profile as reporter on reporter.user_id = reporter_id
           join social.profile as reported on reported.user_id = report.user_id
           left join social.status on status.author_id = report.user_id and status.id = status_id
           where closed_at is null and report.id > $1
           order by report.id limit $2`,
    values: [afterId, limit],
  });
  return rows;
}

/** Takes a report off the queue; false when there is none of that id. */
export async function closeReportRow(db: Db, id: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "close-report",
    text: `update social.report set closed_at = coalesce(closed_at, now()) where id = $1`,
    values: [id],
  });
  return rowCount !== 0;
}
