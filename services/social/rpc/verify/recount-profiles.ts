import { create } from "@bufbuild/protobuf";
import {
  type RecountProfilesRequest,
  RecountProfilesResponseSchema,
} from "../../../../proto/gen/social/v1/verify_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { recountProfileRows } from "../../store/verify/recount-profiles.ts";
import { driftView } from "../../views/drift.ts";
import { confirm } from "./confirm.ts";

/** Recounts the counters of the next users. */
export async function recountProfiles(ctx: SocialContext, request: RecountProfilesRequest) {
  const { drifts, recounted, last } = await confirm(() => recountProfileRows(ctx.pool, request.afterUserId, batch));
  return create(RecountProfilesResponseSchema, {
    drifts: drifts.map(driftView),
    recounted,
    nextAfterUserId: last ?? 0n,
  });
}

const batch = 200;
