import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type ListReportsRequest,
  ListReportsResponseSchema,
  ReportSchema,
} from "../../../../proto/gen/social/v1/moderation_service_pb.ts";
import { invalid } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { listOpenReports, listReported, type ReportedRow, type ReportRow } from "../../store/moderation/reports.ts";

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
