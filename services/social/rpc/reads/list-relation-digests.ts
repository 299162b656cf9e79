import { create } from "@bufbuild/protobuf";
import {
  type ListRelationDigestsRequest,
  ListRelationDigestsResponseSchema,
} from "../../../../proto/gen/social/v1/freshness_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listRelationDigests as findDigests } from "../../store/graph/list-relation-digests.ts";
import { viewerToken } from "../../views/freshness-token.ts";

/** What a viewer has to do with each user, in words for a cache. Reads the primary: a replica may lag behind a write. */
export async function listRelationDigests(ctx: SocialContext, { viewerId }: ListRelationDigestsRequest) {
  const found = await findDigests(ctx.pool, viewerId, maxFacts);
  if (found?.digests === undefined) return create(ListRelationDigestsResponseSchema);
  const viewer = { viewer_version: found.viewer_version, viewer_epoch: found.epoch };
  return create(ListRelationDigestsResponseSchema, {
    viewerToken: viewerToken(viewerId, viewer) ?? "",
    digests: found.digests.map(({ user_id: userId, digest }) => ({ userId, digest })),
  });
}

/** Relations and marks of one viewer: to read as many takes Postgres some milliseconds. Who has more is cached by the whole state. */
const maxFacts = 5_000;
