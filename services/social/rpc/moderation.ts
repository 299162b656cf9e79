import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type CloseReportRequest,
  CloseReportResponseSchema,
  type ListReportsRequest,
  ListReportsResponseSchema,
  type ReinstateRequest,
  ReinstateResponseSchema,
  ReportSchema,
  type SuspendRequest,
  SuspendResponseSchema,
} from "../../../proto/gen/social/v1/moderation_service_pb.ts";
import { conflict, invalid, notFound } from "../../platform/errors.ts";
import { isId } from "../../platform/rules/ids.ts";
import type { SocialContext } from "../context.ts";
import { badUserId, unknownUser } from "../domain/errors.ts";
import {
  closeReportRow,
  listOpenReports,
  listReported,
  type ReportedRow,
  type ReportRow,
  updateSuspended,
} from "../store/moderation.ts";
import { lockProfiles } from "../store/profiles/lock-profiles.ts";
import { clearRepostsDue, findRepostsDue } from "../store/profiles/reposts-due.ts";
import { markAllReposts } from "./mark-reposts.ts";
import { awaitPrepared, write } from "./write.ts";

/** Hides a user, and refuses the user's writes. */
export async function suspend(ctx: SocialContext, request: SuspendRequest) {
  return create(SuspendResponseSchema, { nextAfterUserId: await changeSuspension(ctx, request, true) });
}

/** Ends a suspension. */
export async function reinstate(ctx: SocialContext, request: ReinstateRequest) {
  return create(ReinstateResponseSchema, { nextAfterUserId: await changeSuspension(ctx, request, false) });
}

/**
 * Suspends a user or ends the suspension, then updates the reposts of the user's statuses by their owners, in ascending order of
 * id, one transaction for each batch. What an interrupted call leaves is done by its repetition, or by maintenance.
 * @param timeoutMs milliseconds after which a call answers, complete or not
 * @returns the id of the owner after which the next call has to continue; 0n when nothing is left
 * @throws NotFound for an unknown user; Aborted `Conflict` when the opposite was requested meanwhile; Unavailable while a write stays
 * prepared on a worker of a cluster
 */
export async function changeSuspension(
  ctx: SocialContext,
  { userId, afterUserId }: { userId: bigint; afterUserId: bigint },
  suspended: boolean,
  timeoutMs = defaultTimeoutMs,
): Promise<bigint> {
  if (!isId(userId)) throw badUserId();
  if (afterUserId < 0n) throw invalid("afterUserId", "InclusiveBetween", "'After User Id' must be an id, or 0.");
  let due: bigint | null | undefined;
  if (afterUserId === 0n) {
    await write(ctx, [userId], async (db) => {
      if (!(await lockProfiles(db, [userId])).has(userId)) throw unknownUser();
      await updateSuspended(db, userId, suspended);
    });
    // Before the wait, so that it covers each change that is cleared below.
    due = (await findRepostsDue(ctx.pool, [userId]))[0]?.due;
    await awaitPrepared(ctx);
  }
  const check = (user: { suspended: boolean }) => {
    if (user.suspended !== suspended) throw conflict("The opposite was asked for this user meanwhile.");
  };
  const next = await markAllReposts(ctx, userId, { after: afterUserId, check, endMs: Date.now() + timeoutMs });
  // Where several calls went through them, maintenance does so once more: it is not known for which change the first call did.
  if (next === undefined && due) await clearRepostsDue(ctx.pool, userId, due);
  return next ?? 0n;
}

/** Well before the caller's deadline. */
const defaultTimeoutMs = 3_000;

/** Pages through the open reports, the oldest first; a page lacks reports about users who are being deleted. */
export async function listReports(ctx: SocialContext, { afterId, pageSize = 100 }: ListReportsRequest) {
  if (pageSize < 1) throw invalid("pageSize", "InclusiveBetween", "'Page Size' must be between 1 and 200.");
  const take = Math.min(pageSize, 200);
  const rows = await listOpenReports(ctx.pool, afterId, take + 1);
  const shown = rows.slice(0, take);
  const reported = await listReported(ctx.pool, shown);
  const nextAfterId = rows.length > take ? shown.at(-1)?.id : undefined;
  return create(ListReportsResponseSchema, {
    reports: shown.flatMap((row) =>
      report(
        row,
        reported.filter(({ user_id }) => user_id === row.user_id),
      ),
    ),
    nextAfterId: nextAfterId ?? 0n,
  });
}

/** @param about the reported user, with the statuses of the page; empty while that user is being deleted */
function report(row: ReportRow, about: readonly ReportedRow[]) {
  const [user] = about;
  if (user === undefined) return [];
  return create(ReportSchema, {
    id: row.id,
    reporterId: row.reporter_id,
    reporterScreenName: row.reporter_screen_name,
    userId: row.user_id,
    screenName: user.screen_name,
    suspended: user.suspended,
    statusId: row.status_id === 0n ? undefined : row.status_id,
    statusText: about.find(({ status_id }) => status_id === row.status_id)?.status_text ?? undefined,
    reason: row.reason,
    createdAt: timestampFromDate(row.created_at),
  });
}

/** Closes a report. Repeating it changes nothing. */
export async function closeReport(ctx: SocialContext, { id }: CloseReportRequest) {
  if (!(await closeReportRow(ctx.pool, id))) throw notFound("There is no report with that id.");
  return create(CloseReportResponseSchema);
}
