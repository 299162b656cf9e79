import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { FollowUserRequest } from "../../../../proto/gen/social/people/v1/relations_pb.ts";
import type { SocialContext } from "../../context.ts";
import { deleteFollow, updateNotifications } from "../../store/graph/follows.ts";
import { advanceViewer } from "../../store/profiles/advance-viewer.ts";
import { beginFollow } from "../graph/begin-follow.ts";
import { writeOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";
import { findNamedUser, lockPair, selfFault } from "./named-user.ts";
import { showUser } from "./show-user.ts";

/** Follows a user, asks a protected one, or ends either. The actor's choice of notifications is stored with an open request. */
export async function followUser(ctx: SocialContext, request: FollowUserRequest) {
  const { userId: actorId, following = true, notifications } = request;
  const named = await findNamedUser(ctx, request.screenName);
  const method = PeopleService.method.followUser;
  checkRequest(method.input, request, [selfFault(named, actorId)]);
  return writeOnce(ctx, method, { ...request, following }, actorId, named.ids, async (write) => {
    const { actor, user } = await lockPair(write, actorId, named);
    if (following) await beginFollow(write.db, actor, user);
    else await deleteFollow(write.db, actorId, user.user_id);
    if (following && notifications !== undefined) {
      await updateNotifications(write.db, actorId, user.user_id, notifications);
      await advanceViewer(write.db, actorId);
    }
    return showUser(write.db, actor, user);
  });
}
