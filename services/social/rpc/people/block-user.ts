import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { BlockUserRequest } from "../../../../proto/gen/social/people/v1/relations_pb.ts";
import type { SocialContext } from "../../context.ts";
import { deleteBlock, insertBlock } from "../../store/graph/blocks.ts";
import { deleteFollow } from "../../store/graph/follows.ts";
import { showUser } from "./show-user.ts";
import { writeAboutUser } from "./write-about-user.ts";

/** Blocks a user, or ends the block. Unblocking does not restore the follows that the block ended. */
export function blockUser(ctx: SocialContext, request: BlockUserRequest) {
  const { blocked = true } = request;
  const method = PeopleService.method.blockUser;
  return writeAboutUser(ctx, method, { ...request, blocked }, async (db, { actor, user }) => {
    if (blocked) {
      await insertBlock(db, actor.user_id, user.user_id);
      await deleteFollow(db, actor.user_id, user.user_id);
      await deleteFollow(db, user.user_id, actor.user_id);
    } else await deleteBlock(db, actor.user_id, user.user_id);
    return showUser(db, actor, user);
  });
}
