import { type FollowRequest, GraphService, Relation } from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { asserting, authorSubject } from "../../domain/subjects.ts";
import { insertFollow, insertFollowRequest } from "../../store/graph/follows.ts";
import { writeOnce } from "../write-once.ts";
import { withPair } from "./with-pair.ts";

/** Makes a user follow another; a protected one is asked first. */
export function follow(ctx: SocialContext, request: FollowRequest) {
  const { followerId, userId } = request;
  return writeOnce(ctx, GraphService.method.follow, request, followerId, [userId], async (write) => {
    const { follower, user } = await withPair(write, request);
    if (user.protected) {
      const following = await insertFollowRequest(write.db, followerId, userId);
      return answer(following ? Relation.FOLLOWING : Relation.REQUESTED);
    }
    await insertFollow(write.db, followerId, userId);
    return answer(Relation.FOLLOWING);

    function answer(relation: Relation) {
      return asserting([authorSubject(follower)], { relation });
    }
  });
}
