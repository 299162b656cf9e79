import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { BlockUserRequest } from "../../../../proto/gen/social/people/v1/relations_pb.ts";
import type { SocialContext } from "../../context.ts";
import { viewerSubject } from "../../domain/subjects.ts";
import { deleteBlock, insertBlock } from "../../store/graph/blocks.ts";
import { deleteFollow } from "../../store/graph/follows.ts";
import { writeOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";
import { findNamedUser, lockPair, selfFault } from "./named-user.ts";
import { showUser } from "./show-user.ts";

/** Blocks a user, or ends the block. What a block ends between the two, unblocking does not restore. */
export async function blockUser(ctx: SocialContext, request: BlockUserRequest) {
  const { userId: actorId, blocked = true } = request;
  const named = await findNamedUser(ctx, request.screenName);
  const method = PeopleService.method.blockUser;
  checkRequest(method.input, request, [selfFault(named, actorId)]);
  return writeOnce(ctx, method, { ...request, blocked }, actorId, named.ids, async (write) => {
    const { actor, user } = await lockPair(write, actorId, named);
    if (blocked) {
      await insertBlock(write.db, actorId, user.user_id);
      await deleteFollow(write.db, actorId, user.user_id);
      await deleteFollow(write.db, user.user_id, actorId);
    } else await deleteBlock(write.db, actorId, user.user_id);
    return showUser(write.db, actor, user, [viewerSubject(user)]);
  });
}
