import { GraphService, type SetNotificationsRequest } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import { failedPrecondition } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { updateNotifications } from "../../store/graph/follows.ts";
import { advanceViewer } from "../../store/profiles/advance-viewer.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Sets whether a follower is notified of a user's statuses. */
export function setNotifications(ctx: SocialContext, request: SetNotificationsRequest) {
  const { followerId, userId, notifications } = request;
  return writeOnce(ctx, GraphService.method.setNotifications, request, [followerId, userId], async (db) => {
    await withPair(db, request);
    const isSet = await updateNotifications(db, followerId, userId, notifications);
    if (!isSet) throw failedPrecondition("Only a follower can get notifications of a user's statuses.");
    await advanceViewer(db, followerId);
    return {};
  });
}
