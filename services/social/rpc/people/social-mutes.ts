import { create } from "@bufbuild/protobuf";
import {
  type SocialMutesRequest,
  SocialMutesResponseSchema,
  SocialMutesRequestSchema as schema,
} from "../../../../proto/gen/social/people/v1/lists_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listOwnPeople } from "./list-people.ts";

/** Pages through the users whom the actor has muted, the newest first. */
export async function socialMutes(ctx: SocialContext, request: SocialMutesRequest) {
  const page = await listOwnPeople(ctx, { schema, request, list: "mutes" });
  return create(SocialMutesResponseSchema, page);
}
