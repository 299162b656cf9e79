import { create } from "@bufbuild/protobuf";
import { type FavoriteRequest, FavoriteResponseSchema } from "../../../proto/gen/social/v1/status_service_pb.ts";
import type { SocialContext } from "../context.ts";
import { insertFavorite } from "../store/favorites.ts";
import { withReadableStatus } from "./with-status.ts";

/** Marks a status as a user's favourite; a second mark changes nothing. */
export async function favorite(ctx: SocialContext, request: FavoriteRequest) {
  await withReadableStatus(ctx, request, (db, status) => insertFavorite(db, request.userId, status));
  return create(FavoriteResponseSchema);
}
