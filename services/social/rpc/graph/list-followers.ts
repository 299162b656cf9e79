import { create } from "@bufbuild/protobuf";
import {
  type ListFollowersRequest,
  ListFollowersResponseSchema,
} from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listOfUser } from "./list-of-user.ts";

/** Pages through the followers of a user. */
export async function listFollowers(ctx: SocialContext, request: ListFollowersRequest, viewer: bigint | undefined) {
  return create(ListFollowersResponseSchema, await listOfUser(ctx, "followers", request, viewer));
}
