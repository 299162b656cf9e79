import { StatusService, type UnfavoriteRequest } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { deleteFavorite } from "../../store/statuses/favorites.ts";
import { writeOnce } from "../write-once.ts";
import { authorOf, withStatus } from "./with-status.ts";

/** Deletes a user's mark of a status. Without one, nothing changes. */
export function unfavorite(ctx: SocialContext, request: UnfavoriteRequest) {
  return writeOnce(
    ctx,
    StatusService.method.unfavorite,
    request,
    [request.userId, ...authorOf(request)],
    async (db) => {
      const { key } = await withStatus(db, request);
      await deleteFavorite(db, request.userId, key);
      return {};
    },
  );
}
