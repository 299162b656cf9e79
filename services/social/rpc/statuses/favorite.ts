import { type FavoriteRequest, StatusService } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { insertFavorite } from "../../store/statuses/favorites.ts";
import { writeOnce } from "../write-once.ts";
import { authorOf, withReadableStatus } from "./with-status.ts";

/** Marks a status as a user's favourite. Repeating it changes nothing. */
export function favorite(ctx: SocialContext, request: FavoriteRequest) {
  return writeOnce(ctx, StatusService.method.favorite, request, [request.userId, ...authorOf(request)], async (db) => {
    const { key } = await withReadableStatus(db, request);
    await insertFavorite(db, request.userId, key);
    return {};
  });
}
