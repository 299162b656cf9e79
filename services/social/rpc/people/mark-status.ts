import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { MarkStatusRequest } from "../../../../proto/gen/social/people/v1/statuses_pb.ts";
import { permissionDenied } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { noRepostOfProtected, protectedStatuses } from "../../domain/errors.ts";
import { deleteFavorite, insertFavorite } from "../../store/statuses/favorites.ts";
import { loadStatus } from "../../store/statuses/load-status.ts";
import { statusWithUser } from "../../views/status-with-user.ts";
import { deleteRepost } from "../statuses/delete-repost.ts";
import { mayRead } from "../statuses/may-read.ts";
import { repostStatus } from "../statuses/repost-status.ts";
import { type LockedStatus, withStatus } from "../statuses/with-status.ts";
import { writeOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";
import { findNamedUser, getNamedId } from "./named-user.ts";

/** Marks a status as favourite, reposts it, or undoes either; both together or not at all. */
export async function markStatus(ctx: SocialContext, request: MarkStatusRequest) {
  const { userId, id = 0n, favorited, retweeted } = request;
  const author = await findNamedUser(ctx, request);
  const method = PeopleService.method.markStatus;
  checkRequest(method.input, request);
  return writeOnce(ctx, method, request, [userId, ...author.ids], async (db) => {
    const locked = await withStatus(db, userId, { authorId: getNamedId(author), id });
    const { key, status } = locked;
    await checkAllowed(locked, retweeted === true);
    if (favorited !== undefined) await (favorited ? insertFavorite : deleteFavorite)(db, userId, key);
    if (retweeted === true) await repostStatus(db, userId, key, status, ctx.config.statusLength);
    if (retweeted === false) await deleteRepost(db, userId, key);
    return { results: [await show(locked)] };
  });
}

/** @throws NotFound for a repost of a suspended author, PermissionDenied for what the user may not read, and for a repost of a protected user's status */
async function checkAllowed({ db, user, named, status }: LockedStatus, reposts: boolean): Promise<void> {
  const isReadable = (await mayRead(db, named, user.user_id)) && (await mayRead(db, status, user.user_id));
  if (!isReadable) throw permissionDenied(protectedStatuses);
  if (reposts && status.protected) throw permissionDenied(noRepostOfProtected);
}

/** The named status; its original when it was the user's own repost, which is gone now. */
async function show({ db, user, named, key }: LockedStatus) {
  const namedKey = { authorId: named.user_id, id: named.status_id };
  const row = (await loadStatus(db, namedKey, user.user_id)) ?? (await loadStatus(db, key, user.user_id));
  if (row === undefined) throw new Error("a marked status without a row, though its author's row is locked");
  return statusWithUser(row, row);
}
