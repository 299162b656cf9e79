import { create } from "@bufbuild/protobuf";
import {
  type ListFollowersRequest,
  ListFollowersResponseSchema,
} from "../../../../proto/gen/social/v1/graph_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listFollowerPlaces } from "../../store/graph/list-relations.ts";
import { listRelations } from "./list-relations.ts";

/** Pages through who follows a user. */
export async function listFollowers(ctx: SocialContext, request: ListFollowersRequest, viewer: bigint | undefined) {
  return create(ListFollowersResponseSchema, await listRelations(ctx, request, viewer, listFollowerPlaces));
}
