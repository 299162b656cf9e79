import type { SocialContext } from "../../context.ts";
import { checkReadable } from "../../domain/check-readable.ts";
import {
  type RelationList,
  type RelationPage,
  type RelationPosition,
  writeCursor,
} from "../../domain/relation-page.ts";
import { listPositions } from "../../store/graph/list-relations.ts";
import { listProfiles, type ProfileWithStatus } from "../../store/profiles/list-profiles.ts";
import { shownUsers } from "../shown-users.ts";

/**
 * One page of the users on the other side of a user's relations, as the viewer sees them, and the cursor of the next page, empty
 * on the last one. Two statements, however many users.
 * @param user as the viewer sees them
 * @throws Unauthenticated or PermissionDenied when the user is protected from the viewer
 */
export async function listRelations(
  ctx: SocialContext,
  name: RelationList["name"],
  user: ProfileWithStatus,
  page: RelationPage,
  viewer: bigint | undefined,
) {
  if (!ownLists.has(name)) checkReadable(user, viewer, protectedRelations);
  const list = { name, userId: user.user_id };
  const positions = await listPositions(ctx.pool, list, page);
  const shown = positions.slice(0, page.take);
  const last = shown.at(-1);
  return {
    users: await usersAt(ctx, shown, viewer),
    next: last && positions.length > page.take ? writeCursor(last, list) : "",
  };
}

/** For the user alone, which access rules ensure, and also for a suspended user. */
const ownLists: ReadonlySet<RelationList["name"]> = new Set(["requests", "blocks", "mutes"]);

const protectedRelations = "The relations of a protected user are for approved followers.";

/** In the order of the positions, without users who are suspended or being deleted. */
async function usersAt(ctx: SocialContext, positions: readonly RelationPosition[], viewer: bigint | undefined) {
  const userIds = positions.map((position) => position.userId);
  const rows = await listProfiles(ctx.pool, userIds, [], viewer);
  const byId = new Map(rows.map((row) => [row.user_id, row]));
  const found = positions.map(({ userId }) => byId.get(userId)).filter((row) => row !== undefined);
  return shownUsers(found, viewer);
}
