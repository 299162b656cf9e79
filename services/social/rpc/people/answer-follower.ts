import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { AnswerFollowerRequest } from "../../../../proto/gen/social/people/v1/relations_pb.ts";
import { notFound } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { deleteFollow, hasFollowRequest, insertFollow } from "../../store/graph/follows.ts";
import { showUser } from "./show-user.ts";
import { writeAboutUser } from "./write-about-user.ts";

/** Grants or rejects a request to follow the actor, or removes a follower. */
export function answerFollower(ctx: SocialContext, request: AnswerFollowerRequest) {
  const method = PeopleService.method.answerFollower;
  return writeAboutUser(ctx, method, request, async (db, { actor, user }) => {
    if (!request.approved) await deleteFollow(db, user.user_id, actor.user_id);
    else if (await hasFollowRequest(db, user.user_id, actor.user_id))
      await insertFollow(db, user.user_id, actor.user_id);
    else throw notFound("That user has not asked to follow.");
    return showUser(db, actor, user);
  });
}
