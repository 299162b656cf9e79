import { create } from "@bufbuild/protobuf";
import {
  type SetNotificationsRequest,
  SetNotificationsResponseSchema,
} from "../../../proto/gen/social/v1/graph_service_pb.ts";
import { failedPrecondition } from "../../platform/errors.ts";
import type { SocialContext } from "../context.ts";
import { updateNotifications } from "../store/follows.ts";

/** Says whether a follower is told of a user's statuses. */
export async function setNotifications(ctx: SocialContext, request: SetNotificationsRequest) {
  const { followerId, userId, notifications } = request;
  const isSet = await updateNotifications(ctx.pool, followerId, userId, notifications);
  if (!isSet) throw failedPrecondition("Only a follower can be told of a user's statuses.");
  return create(SetNotificationsResponseSchema);
}
