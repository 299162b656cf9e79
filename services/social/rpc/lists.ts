import type { DescMessage, Message } from "@bufbuild/protobuf";
import {
  type FollowRequestsRequest,
  FollowRequestsRequestSchema,
  type SocialBlocksRequest,
  SocialBlocksRequestSchema,
  type SocialFollowersRequest,
  SocialFollowersRequestSchema,
  type SocialFriendsRequest,
  SocialFriendsRequestSchema,
  type SocialMutesRequest,
  SocialMutesRequestSchema,
} from "../../../proto/gen/social/people/v1/lists_pb.ts";
import { compileSize } from "../../platform/rules/field-rules.ts";
import { fieldNamed } from "../../platform/rules/request-rules.ts";
import type { SocialContext } from "../context.ts";
import { checkReadable } from "../domain/can-read.ts";
import { type RelationList, type RelationPosition, readCursor, writeCursor } from "../domain/cursors.ts";
import { unknownScreenName } from "../domain/errors.ts";
import { listPositions } from "../store/graph/list-relations.ts";
import { listProfiles, type ProfileWithStatus } from "../store/profiles/list-profiles.ts";
import { findUsers, shownUsers } from "./find-users.ts";
import { checkedCursor, missingActor } from "./people-request.ts";

/** Pages through the followers of a user, the newest first. */
export function socialFollowers(ctx: SocialContext, request: SocialFollowersRequest, viewer: bigint | undefined) {
  return listPeople(ctx, { schema: SocialFollowersRequestSchema, request, list: "followers" }, viewer);
}

/** Pages through the users whom a user follows, the newest first. */
export function socialFriends(ctx: SocialContext, request: SocialFriendsRequest, viewer: bigint | undefined) {
  return listPeople(ctx, { schema: SocialFriendsRequestSchema, request, list: "friends" }, viewer);
}

/** Pages through the users who ask to follow the actor, the newest first. */
export function followRequests(ctx: SocialContext, request: FollowRequestsRequest) {
  return listOwnPeople(ctx, { schema: FollowRequestsRequestSchema, request, list: "requests" });
}

/** Pages through the users whom the actor has blocked, the newest first. */
export function socialBlocks(ctx: SocialContext, request: SocialBlocksRequest) {
  return listOwnPeople(ctx, { schema: SocialBlocksRequestSchema, request, list: "blocks" });
}

/** Pages through the users whom the actor has muted, the newest first. */
export function socialMutes(ctx: SocialContext, request: SocialMutesRequest) {
  return listOwnPeople(ctx, { schema: SocialMutesRequestSchema, request, list: "mutes" });
}

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
async function listPeople(
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
async function listOwnPeople(ctx: SocialContext, page: ListedPage<{ userId: bigint }>) {
  const { userId } = page.request;
  const [user] = await listProfiles(ctx.pool, [userId], [], userId);
  if (user === undefined) throw await missingActor(ctx.pool, userId);
  return listOf(ctx, user, page, userId);
}

/**
 * Reads the page, and the cursor of the next one, empty on the last. Two statements, however many users.
 * @param user the owner of the list, as the viewer sees them; undefined when there is no such user
 */
async function listOf(
  ctx: SocialContext,
  user: ProfileWithStatus | undefined,
  { schema, request, list: name }: ListedPage<unknown>,
  viewer: bigint | undefined,
) {
  // A cursor belongs to one user, so none is valid for an unknown one.
  const list = { name, userId: user?.user_id ?? 0n };
  const after = checkedCursor(schema, request, (cursor) => readCursor(cursor, list));
  if (user === undefined) throw unknownScreenName();
  if (!ownLists.has(name)) checkReadable(user, viewer, protectedRelations);
  const take = compileSize(fieldNamed(schema, "take"))(request.take);
  const positions = await listPositions(ctx.pool, list, { take, after });
  const shown = positions.slice(0, take);
  const last = shown.at(-1);
  return {
    results: await usersAt(ctx, shown, viewer),
    next: last && positions.length > take ? writeCursor(last, list) : "",
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
