import type { DescMessage, Message } from "@bufbuild/protobuf";
import { compileSize } from "../../../platform/rules/field-rules.ts";
import { fieldNamed } from "../../../platform/rules/request-rules.ts";
import type { SocialContext } from "../../context.ts";
import { unknownScreenName } from "../../domain/errors.ts";
import { badCursor, type RelationList, readCursor } from "../../domain/relation-page.ts";
import { listProfiles, type ProfileWithStatus } from "../../store/profiles/list-profiles.ts";
import { findUsers } from "../find-users.ts";
import { listRelations } from "../graph/list-relations.ts";
import { checkRequest } from "./check-request.ts";
import { missingActor } from "./missing-actor.ts";

/** A page of a list. */
interface ListedPage<Owner> {
  schema: DescMessage;
  request: Message & Owner & { take?: bigint; cursor: string };
  list: RelationList["name"];
}

/**
 * One page of a list of the user whom the request names, each as the viewer sees them.
 * @throws InvalidArgument, NotFound for an unknown user; Unauthenticated or PermissionDenied when the user is protected from
 * the viewer
 */
export async function listPeople(
  ctx: SocialContext,
  page: ListedPage<{ screenName: string; subjectId?: bigint }>,
  viewer: bigint | undefined,
) {
  const { screenName, subjectId } = page.request;
  const [ids, names] = subjectId === undefined ? [[], [screenName]] : [[subjectId], []];
  const [user] = await findUsers(ctx, ids, names, (ids, names) => listProfiles(ctx.pool, ids, names, viewer));
  return listOf(ctx, user, page, viewer);
}

/** The same for a list of the actor. */
export async function listOwnPeople(ctx: SocialContext, page: ListedPage<{ userId: bigint }>) {
  const { userId } = page.request;
  const [user] = await listProfiles(ctx.pool, [userId], [], userId);
  if (user === undefined) throw await missingActor(ctx.pool, userId);
  return listOf(ctx, user, page, userId);
}

/** @param user the owner of the list, as the viewer sees them; undefined when there is no such user */
async function listOf(
  ctx: SocialContext,
  user: ProfileWithStatus | undefined,
  { schema, request, list }: ListedPage<unknown>,
  viewer: bigint | undefined,
) {
  // A cursor belongs to one user, so none is valid for an unknown one.
  const after = readCursor(request.cursor, { name: list, userId: user?.user_id ?? 0n });
  checkRequest(schema, request, [after === "bad" ? badCursor() : undefined]);
  if (user === undefined || after === "bad") throw unknownScreenName();
  const page = { take: compileSize(fieldNamed(schema, "take"))(request.take), after };
  const { users, next } = await listRelations(ctx, list, user, page, viewer);
  return { results: users, next };
}
