import { create } from "@bufbuild/protobuf";
import {
  type SocialBlocksRequest,
  SocialBlocksResponseSchema,
  SocialBlocksRequestSchema as schema,
} from "../../../../proto/gen/social/people/v1/lists_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listOwnPeople } from "./list-people.ts";

/** Pages through the users whom the actor has blocked, the newest first. */
export async function socialBlocks(ctx: SocialContext, request: SocialBlocksRequest) {
  const page = await listOwnPeople(ctx, { schema, request, list: "blocks" });
  return create(SocialBlocksResponseSchema, page);
}
