import { create } from "@bufbuild/protobuf";
import {
  type ReinstateRequest,
  ReinstateResponseSchema,
} from "../../../../proto/gen/social/v1/moderation_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { changeSuspension } from "./change-suspension.ts";

/** Ends a suspension. */
export async function reinstate(ctx: SocialContext, request: ReinstateRequest) {
  return create(ReinstateResponseSchema, { nextAfterUserId: await changeSuspension(ctx, request, false) });
}
