import { create } from "@bufbuild/protobuf";
import {
  type ListFollowRequestsRequest,
  ListFollowRequestsResponseSchema,
} from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listAskerPlaces } from "../../store/graph/list-relations.ts";
import { listRelations } from "./list-relations.ts";

/** Pages through who asks to follow a user. Only that user gets here. */
export async function listFollowRequests(
  ctx: SocialContext,
  request: ListFollowRequestsRequest,
  viewer: bigint | undefined,
) {
  return create(ListFollowRequestsResponseSchema, await listRelations(ctx, request, viewer, listAskerPlaces));
}
