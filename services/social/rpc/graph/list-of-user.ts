import type { SocialContext } from "../../context.ts";
import { unknownUser } from "../../domain/errors.ts";
import { parseRelationPage, type RelationList } from "../../domain/relation-page.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import { listRelations } from "./list-relations.ts";

interface ListRequest {
  userId: bigint;
  pageSize?: number;
  cursor: string;
}

/**
 * One page of a list of the user with an id.
 * @throws NotFound for an unknown user; Unauthenticated or PermissionDenied when the user is protected from the viewer
 */
export async function listOfUser(
  ctx: SocialContext,
  name: RelationList["name"],
  request: ListRequest,
  viewer: bigint | undefined,
) {
  const page = parseRelationPage(request, { name, userId: request.userId });
  const [user] = await listProfiles(ctx.pool, [request.userId], [], viewer);
  if (user === undefined) throw unknownUser();
  const { users, next } = await listRelations(ctx, name, user, page, viewer);
  return { users, nextCursor: next };
}
