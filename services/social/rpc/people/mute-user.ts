import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { MuteUserRequest } from "../../../../proto/gen/social/people/v1/relations_pb.ts";
import type { SocialContext } from "../../context.ts";
import { deleteMute, insertMute } from "../../store/graph/mutes.ts";
import { writeOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";
import { findNamedUser, lockPair, selfFault } from "./named-user.ts";
import { showUser } from "./show-user.ts";

/** Leaves other users' reposts of a user out of what the actor reads, or ends that. */
export async function muteUser(ctx: SocialContext, request: MuteUserRequest) {
  const { userId: actorId, muted = true } = request;
  const named = await findNamedUser(ctx, request.screenName);
  const method = PeopleService.method.muteUser;
  checkRequest(method.input, request, [selfFault(named, actorId)]);
  return writeOnce(ctx, method, { ...request, muted }, actorId, named.ids, async (write) => {
    const { actor, user } = await lockPair(write, actorId, named);
    await (muted ? insertMute : deleteMute)(write.db, actorId, user.user_id);
    return showUser(write.db, actor, user);
  });
}
