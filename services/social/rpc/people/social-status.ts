import { create } from "@bufbuild/protobuf";
import {
  type SocialStatusRequest,
  SocialStatusRequestSchema,
  SocialStatusResponseSchema,
} from "../../../../proto/gen/social/people/v1/statuses_pb.ts";
import type { SocialContext } from "../../context.ts";
import { unknownScreenName } from "../../domain/errors.ts";
import { showStatus } from "../statuses/show-status.ts";
import { checkRequest } from "./check-request.ts";
import { findNamedUser } from "./named-user.ts";

/** Shows one status to a viewer who may read it. */
export async function socialStatus(ctx: SocialContext, request: SocialStatusRequest, viewer: bigint | undefined) {
  checkRequest(SocialStatusRequestSchema, request);
  const [authorId] = (await findNamedUser(ctx, request)).ids;
  if (authorId === undefined) throw unknownScreenName();
  const { status, lang } = await showStatus(ctx, { authorId, id: request.id ?? 0n }, viewer);
  return create(SocialStatusResponseSchema, { results: [status], lang });
}
