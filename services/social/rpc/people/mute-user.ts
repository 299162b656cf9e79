import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { MuteUserRequest } from "../../../../proto/gen/social/people/v1/relations_pb.ts";
import type { SocialContext } from "../../context.ts";
import { deleteMute, insertMute } from "../../store/graph/mutes.ts";
import { showUser } from "./show-user.ts";
import { writeAboutUser } from "./write-about-user.ts";

/** Mutes a user: the actor no longer reads other users' reposts of that user. Or ends the mute. */
export function muteUser(ctx: SocialContext, request: MuteUserRequest) {
  const { muted = true } = request;
  const method = PeopleService.method.muteUser;
  return writeAboutUser(ctx, method, { ...request, muted }, async (db, { actor, user }) => {
    await (muted ? insertMute : deleteMute)(db, actor.user_id, user.user_id);
    return showUser(db, actor, user);
  });
}
