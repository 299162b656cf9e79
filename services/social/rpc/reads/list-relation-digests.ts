import { create } from "@bufbuild/protobuf";
import {
  type ListRelationDigestsRequest,
  ListRelationDigestsResponseSchema,
} from "../../../../proto/gen/social/v1/version_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { listRelationDigestRows } from "../../store/graph/list-relation-digests.ts";
import { viewerVersionOf } from "../../views/version.ts";

/** The relation digest of a viewer and each user. Reads the primary: a replica may lag behind a write. */
export async function listRelationDigests(ctx: SocialContext, { viewerId }: ListRelationDigestsRequest) {
  const found = await listRelationDigestRows(ctx.pool, viewerId, maxFacts);
  if (found?.digests === undefined) return create(ListRelationDigestsResponseSchema);
  const viewer = { viewer_version: found.viewer_version, viewer_epoch: found.epoch };
  return create(ListRelationDigestsResponseSchema, {
    viewerVersion: viewerVersionOf(viewerId, viewer) ?? "",
    digests: found.digests.map(({ user_id: userId, digest }) => ({ userId, digest })),
  });
}

/**
 * The most relations and marks of one viewer that are read, which takes Postgres some milliseconds. The replies to a viewer with
 * more are cached by the viewer's whole state.
 */
const maxFacts = 5_000;
