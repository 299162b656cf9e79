import { create } from "@bufbuild/protobuf";
import {
  type ListFollowRequestsRequest,
  ListFollowRequestsResponseSchema,
} from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listOfUser } from "./list-of-user.ts";

/** Pages through the requests to follow a user. Access rules admit only that user. */
export async function listFollowRequests(
  ctx: SocialContext,
  request: ListFollowRequestsRequest,
  viewer: bigint | undefined,
) {
  return create(ListFollowRequestsResponseSchema, await listOfUser(ctx, "requests", request, viewer));
}
