import { create } from "@bufbuild/protobuf";
import {
  type RecountStatusesRequest,
  RecountStatusesResponseSchema,
} from "../../../../proto/gen/social/v1/verify_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { recountStatusRows } from "../../store/verify/recount-statuses.ts";
import { driftView } from "../../views/drift.ts";
import { confirm } from "./confirm.ts";

/** Recounts the counters of the next statuses. */
export async function recountStatuses(ctx: SocialContext, request: RecountStatusesRequest) {
  const { drifts, recounted, last } = await confirm(() =>
    recountStatusRows(ctx.pool, request.after ?? { authorId: 0n, id: 0n }, batch),
  );
  return create(RecountStatusesResponseSchema, { drifts: drifts.map(driftView), recounted, nextAfter: last });
}

const batch = 5_000;
