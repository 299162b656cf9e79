import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { AnswerFollowerRequest } from "../../../../proto/gen/social/people/v1/relations_pb.ts";
import { notFound } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { viewerSubject } from "../../domain/subjects.ts";
import { deleteFollow, hasFollowRequest, insertFollow } from "../../store/graph/follows.ts";
import { writeOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";
import { findNamedUser, lockPair, selfFault } from "./named-user.ts";
import { showUser } from "./show-user.ts";

/** Grants or rejects a request to follow the actor, or ends that the user follows. */
export async function answerFollower(ctx: SocialContext, request: AnswerFollowerRequest) {
  const { userId: actorId, approved } = request;
  const named = await findNamedUser(ctx, request.screenName);
  const method = PeopleService.method.answerFollower;
  checkRequest(method.input, request, [selfFault(named, actorId)]);
  return writeOnce(ctx, method, request, actorId, named.ids, async (write) => {
    const { actor, user } = await lockPair(write, actorId, named);
    if (!approved) await deleteFollow(write.db, user.user_id, actorId);
    else if (await hasFollowRequest(write.db, user.user_id, actorId))
      await insertFollow(write.db, user.user_id, actorId);
    else throw notFound("That user has not asked to follow.");
    return showUser(write.db, actor, user, [viewerSubject(user)]);
  });
}
