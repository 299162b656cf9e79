import type { ServiceImpl } from "@connectrpc/connect";
import type { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import { viewerOf } from "../../../platform/connect/identity.ts";
import type { SocialContext } from "../../context.ts";
import { readList } from "../read-list.ts";
import { answerFollower } from "./answer-follower.ts";
import { blockUser } from "./block-user.ts";
import { deleteStatus } from "./delete-status.ts";
import { followRequests } from "./follow-requests.ts";
import { followUser } from "./follow-user.ts";
import { markStatus } from "./mark-status.ts";
import { muteUser } from "./mute-user.ts";
import { publishStatus } from "./publish-status.ts";
import { reportUser } from "./report-user.ts";
import { socialBlocks } from "./social-blocks.ts";
import { socialFollowers } from "./social-followers.ts";
import { socialFriends } from "./social-friends.ts";
import { socialMutes } from "./social-mutes.ts";
import { socialPublic } from "./social-public.ts";
import { socialStatus } from "./social-status.ts";
import { updateProfile } from "./update-profile.ts";

/** The operations of signed-in users (contract §11), each in a file of its own. */
export function people(ctx: SocialContext): ServiceImpl<typeof PeopleService> {
  return {
    publishStatus: (request) => publishStatus(ctx, request),
    deleteStatus: (request) => deleteStatus(ctx, request),
    socialStatus: (request, call) => socialStatus(ctx, request, viewerOf(call.requestHeader)),
    markStatus: (request) => markStatus(ctx, request),
    followUser: (request) => followUser(ctx, request),
    answerFollower: (request) => answerFollower(ctx, request),
    blockUser: (request) => blockUser(ctx, request),
    muteUser: (request) => muteUser(ctx, request),
    reportUser: (request) => reportUser(ctx, request),
    socialFollowers: (request, call) => readList(ctx, call, (viewer) => socialFollowers(ctx, request, viewer)),
    socialFriends: (request, call) => readList(ctx, call, (viewer) => socialFriends(ctx, request, viewer)),
    followRequests: (request, call) => readList(ctx, call, () => followRequests(ctx, request)),
    socialBlocks: (request, call) => readList(ctx, call, () => socialBlocks(ctx, request)),
    socialMutes: (request, call) => readList(ctx, call, () => socialMutes(ctx, request)),
    socialPublic: (request, call) =>
      readList(ctx, call, (viewer) => socialPublic(ctx, request, viewer, call.requestHeader)),
    updateProfile: (request) => updateProfile(ctx, request),
  };
}
