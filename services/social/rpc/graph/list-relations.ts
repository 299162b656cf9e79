import type { Db } from "../../../platform/postgres/pool.ts";
import type { SocialContext } from "../../context.ts";
import { canRead } from "../../domain/can-read.ts";
import { unknownUser, unreadable } from "../../domain/errors.ts";
import { parseRelationPage, type RelationPage, type RelationPlace, writeCursor } from "../../domain/relation-page.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import { profileResult } from "../../views/profile-result.ts";

type Places = (db: Db, userId: bigint, page: RelationPage) => Promise<RelationPlace[]>;

interface ListRequest {
  userId: bigint;
  pageSize?: number;
  cursor: string;
}

/**
 * One page of the users on the other side of a user's relations, as the viewer sees them. Three statements, however many.
 * @throws NotFound for an unknown user; Unauthenticated or PermissionDenied when the user is protected from the viewer
 */
export async function listRelations(
  ctx: SocialContext,
  request: ListRequest,
  viewer: bigint | undefined,
  list: Places,
) {
  const page = parseRelationPage(request);
  const [user] = await listProfiles(ctx.pool, [request.userId], [], viewer);
  if (user === undefined) throw unknownUser();
  if (!canRead(user, viewer)) throw unreadable(viewer, "The relations of a protected user are for approved followers.");
  const places = await list(ctx.pool, request.userId, page);
  const shown = places.slice(0, page.take);
  const last = shown.at(-1);
  return {
    users: await usersAt(ctx, shown, viewer),
    nextCursor: last && places.length > page.take ? writeCursor(last) : "",
  };
}

/** In the order of the places; users who are just being deleted are left out. */
async function usersAt(ctx: SocialContext, places: readonly RelationPlace[], viewer: bigint | undefined) {
  const rows = await listProfiles(
    ctx.pool,
    places.map((place) => place.userId),
    [],
    viewer,
  );
  const byId = new Map(rows.map((row) => [row.user_id, row]));
  return places.flatMap(({ userId }) => {
    const row = byId.get(userId);
    return row === undefined ? [] : [profileResult(row, viewer, canRead(row, viewer))];
  });
}
