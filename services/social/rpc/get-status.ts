import { create } from "@bufbuild/protobuf";
import { type GetStatusRequest, GetStatusResponseSchema } from "../../../proto/gen/social/v1/status_service_pb.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import type { SocialContext } from "../context.ts";
import { canRead } from "../domain/can-read.ts";
import { loadStatus } from "../store/load-status.ts";
import { statusView } from "../views/status.ts";
import { userSummary } from "../views/user-summary.ts";
import { unreadable } from "./unreadable.ts";

/** Shows one status with its user, to whoever may read the user's timeline. */
export async function getStatus(ctx: SocialContext, request: GetStatusRequest, viewer: bigint | undefined) {
  if (request.status === undefined) throw invalid("status", "NotEmpty", "'Status' should not be empty.");
  const row = await loadStatus(ctx.pool, request.status, viewer);
  if (row === undefined) throw notFound("There is no such status.");
  if (!canRead(row, viewer)) throw unreadable(viewer, "The statuses of a protected user are for approved followers.");
  const status = statusView(row);
  status.user = userSummary(row, viewer === undefined ? undefined : row);
  return create(GetStatusResponseSchema, { status, lang: row.status_lang ?? "" });
}
