import { create } from "@bufbuild/protobuf";
import { type GetStatusRequest, GetStatusResponseSchema } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { missingStatus } from "../../domain/errors.ts";
import { showStatus } from "./show-status.ts";

/** Shows one status with its user, for a viewer who may read the user's timeline. */
export async function getStatus(ctx: SocialContext, request: GetStatusRequest, viewer: bigint | undefined) {
  if (request.status === undefined) throw missingStatus();
  const { status, lang } = await showStatus(ctx, request.status, viewer);
  return create(GetStatusResponseSchema, { status, lang });
}
