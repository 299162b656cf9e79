import { create } from "@bufbuild/protobuf";
import { type UnfavoriteRequest, UnfavoriteResponseSchema } from "../../../proto/gen/social/v1/status_service_pb.ts";
import type { SocialContext } from "../context.ts";
import { deleteFavorite } from "../store/favorites.ts";
import { withStatus } from "./with-status.ts";

/** Takes a user's mark off a status; where there is none, nothing changes. */
export async function unfavorite(ctx: SocialContext, request: UnfavoriteRequest) {
  await withStatus(ctx, request, (db, status) => deleteFavorite(db, request.userId, status));
  return create(UnfavoriteResponseSchema);
}
