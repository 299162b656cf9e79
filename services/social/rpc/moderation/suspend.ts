import { create } from "@bufbuild/protobuf";
import { type SuspendRequest, SuspendResponseSchema } from "../../../../proto/gen/social/v1/moderation_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { changeSuspension } from "./change-suspension.ts";

/** Keeps a user from being seen and from writing. */
export async function suspend(ctx: SocialContext, request: SuspendRequest) {
  return create(SuspendResponseSchema, { nextAfterUserId: await changeSuspension(ctx, request, true) });
}
