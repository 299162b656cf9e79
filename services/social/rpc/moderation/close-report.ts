import { create } from "@bufbuild/protobuf";
import {
  type CloseReportRequest,
  CloseReportResponseSchema,
} from "../../../../proto/gen/social/v1/moderation_service_pb.ts";
import { notFound } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { closeReportRow } from "../../store/moderation/reports.ts";

/** Closes a report. Repeating it changes nothing. */
export async function closeReport(ctx: SocialContext, { id }: CloseReportRequest) {
  if (!(await closeReportRow(ctx.pool, id))) throw notFound("There is no report with that id.");
  return create(CloseReportResponseSchema);
}
