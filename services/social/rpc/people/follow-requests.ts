import { create } from "@bufbuild/protobuf";
import {
  type FollowRequestsRequest,
  FollowRequestsResponseSchema,
  FollowRequestsRequestSchema as schema,
} from "../../../../proto/gen/social/people/v1/lists_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import { listPeople } from "./list-people.ts";
import { missingActor } from "./named-user.ts";

/** Pages through who asks to follow the actor, the newest first. */
export async function followRequests(ctx: SocialContext, request: FollowRequestsRequest) {
  const { userId } = request;
  const [user] = await listProfiles(ctx.pool, [userId], [], userId);
  if (user === undefined) throw missingActor();
  return create(
    FollowRequestsResponseSchema,
    await listPeople(ctx, { schema, request, list: "requests", user }, userId),
  );
}
