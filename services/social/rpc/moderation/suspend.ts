import { create } from "@bufbuild/protobuf";
import { type SuspendRequest, SuspendResponseSchema } from "../../../../proto/gen/social/v1/moderation_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { changeSuspension } from "./change-suspension.ts";

/** Hides a user, and refuses the user's writes. */
export async function suspend(ctx: SocialContext, request: SuspendRequest) {
  return create(SuspendResponseSchema, { nextAfterUserId: await changeSuspension(ctx, request, true) });
}
