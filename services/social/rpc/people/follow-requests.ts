import { create } from "@bufbuild/protobuf";
import {
  type FollowRequestsRequest,
  FollowRequestsResponseSchema,
  FollowRequestsRequestSchema as schema,
} from "../../../../proto/gen/social/people/v1/lists_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listOwnPeople } from "./list-people.ts";

/** Pages through the users who ask to follow the actor, the newest first. */
export async function followRequests(ctx: SocialContext, request: FollowRequestsRequest) {
  const page = await listOwnPeople(ctx, { schema, request, list: "requests" });
  return create(FollowRequestsResponseSchema, page);
}
