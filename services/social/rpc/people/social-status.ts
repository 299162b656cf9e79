import { create } from "@bufbuild/protobuf";
import {
  type SocialStatusRequest,
  SocialStatusRequestSchema,
  SocialStatusResponseSchema,
} from "../../../../proto/gen/social/people/v1/statuses_pb.ts";
import type { SocialContext } from "../../context.ts";
import { unknownScreenName } from "../../domain/errors.ts";
import { setViewerVersion } from "../reads/set-viewer-version.ts";
import { showStatus } from "../statuses/show-status.ts";
import { checkRequest } from "./check-request.ts";
import { findNamedUser } from "./named-user.ts";

/** Shows one status to a viewer who may read it. @param header of the reply */
export async function socialStatus(
  ctx: SocialContext,
  request: SocialStatusRequest,
  viewer: bigint | undefined,
  header: Headers,
) {
  checkRequest(SocialStatusRequestSchema, request);
  const [authorId] = (await findNamedUser(ctx, request.screenName)).ids;
  if (authorId === undefined) throw unknownScreenName();
  const { status, row } = await showStatus(ctx, { authorId, id: request.id ?? 0n }, viewer);
  setViewerVersion(header, viewer, [row]);
  return create(SocialStatusResponseSchema, { results: [status] });
}
