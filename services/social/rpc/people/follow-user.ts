import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { FollowUserRequest } from "../../../../proto/gen/social/people/v1/relations_pb.ts";
import type { SocialContext } from "../../context.ts";
import { deleteFollow, updateNotifications } from "../../store/graph/follows.ts";
import { advanceViewer } from "../../store/profiles/advance-viewer.ts";
import { beginFollow } from "../graph/begin-follow.ts";
import { showUser } from "./show-user.ts";
import { writeAboutUser } from "./write-about-user.ts";

/** Follows a user, or asks a protected user, or ends the follow or the request. The actor's choice of notifications is stored with an open request. */
export function followUser(ctx: SocialContext, request: FollowUserRequest) {
  const { following = true, notifications } = request;
  const method = PeopleService.method.followUser;
  return writeAboutUser(ctx, method, { ...request, following }, async (db, { actor, user }) => {
    if (following) await beginFollow(db, actor, user);
    else await deleteFollow(db, actor.user_id, user.user_id);
    if (following && notifications !== undefined) {
      await updateNotifications(db, actor.user_id, user.user_id, notifications);
      await advanceViewer(db, actor.user_id);
    }
    return showUser(db, actor, user);
  });
}
