import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { PeopleService } from "../../../proto/gen/social/people/v1/people_service_pb.ts";
import type {
  AnswerFollowerRequest,
  BlockUserRequest,
  FollowUserRequest,
  MuteUserRequest,
  ReportUserRequest,
} from "../../../proto/gen/social/people/v1/relations_pb.ts";
import { badField, notFound } from "../../platform/errors.ts";
import type { Db } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";
import { blockBetween, suspendedUser, tooManyFollows, unknownScreenName, unknownStatus } from "../domain/errors.ts";
import { deleteBlock, deleteMute, insertBlock, insertMute, isBlockBetween } from "../store/graph/blocks-and-mutes.ts";
import {
  countOtherFollows,
  deleteFollow,
  hasFollowRequest,
  insertFollow,
  insertFollowRequest,
  updateNotifications,
} from "../store/graph/follows.ts";
import { upsertReport } from "../store/moderation.ts";
import { listProfiles } from "../store/profiles/list-profiles.ts";
import { type LockedProfile, lockProfiles } from "../store/profiles/lock-profiles.ts";
import { advanceViewer } from "../store/profiles/update-profile.ts";
import { findStatus } from "../store/statuses/load-status.ts";
import { shownUsers } from "./find-users.ts";
import { checkRequest, findNamedUser, getNamedId, missingActor, type NamedUser } from "./people-request.ts";
import { writeOnce } from "./write.ts";

/**
 * Follows a user, or asks a protected user, or ends the follow or the request. The actor's choice of notifications is stored with an open
 * request.
 */
export function followUser(ctx: SocialContext, request: FollowUserRequest) {
  const { following = true, notifications } = request;
  const method = PeopleService.method.followUser;
  return writeAboutUser(ctx, method, { ...request, following }, async (db, { actor, user }) => {
    if (following) await beginFollow(db, ctx.config.maxFollows, actor, user);
    else await deleteFollow(db, actor.user_id, user.user_id);
    if (following && notifications !== undefined) {
      await updateNotifications(db, actor.user_id, user.user_id, notifications);
      await advanceViewer(db, actor.user_id);
    }
    return showUser(db, actor, user);
  });
}

/**
 * Makes a user follow another, or ask to follow when the other is protected.
 * @throws PermissionDenied when one of them blocks the other, and `LimitReached` when the follower follows and asks so many others already
 */
async function beginFollow(db: Db, maxFollows: number, follower: LockedProfile, user: LockedProfile): Promise<void> {
  if (await isBlockBetween(db, follower.user_id, user.user_id)) throw blockBetween();
  if ((await countOtherFollows(db, follower.user_id, user.user_id, maxFollows)) === maxFollows) {
    throw tooManyFollows(maxFollows);
  }
  await (user.protected ? insertFollowRequest : insertFollow)(db, follower.user_id, user.user_id);
}

/** Grants or rejects a request to follow the actor, or removes a follower. */
export function answerFollower(ctx: SocialContext, request: AnswerFollowerRequest) {
  const method = PeopleService.method.answerFollower;
  return writeAboutUser(ctx, method, request, async (db, { actor, user }) => {
    if (!request.approved) await deleteFollow(db, user.user_id, actor.user_id);
    else if (await hasFollowRequest(db, user.user_id, actor.user_id))
      await insertFollow(db, user.user_id, actor.user_id);
    else throw notFound("That user has not asked to follow.");
    return showUser(db, actor, user);
  });
}

/** Blocks a user, or ends the block. Unblocking does not restore the follows that the block ended. */
export function blockUser(ctx: SocialContext, request: BlockUserRequest) {
  const { blocked = true } = request;
  const method = PeopleService.method.blockUser;
  return writeAboutUser(ctx, method, { ...request, blocked }, async (db, { actor, user }) => {
    if (blocked) {
      await insertBlock(db, actor.user_id, user.user_id);
      await deleteFollow(db, actor.user_id, user.user_id);
      await deleteFollow(db, user.user_id, actor.user_id);
    } else await deleteBlock(db, actor.user_id, user.user_id);
    return showUser(db, actor, user);
  });
}

/** Mutes a user: the actor no longer reads other users' reposts of that user. Or ends the mute. */
export function muteUser(ctx: SocialContext, request: MuteUserRequest) {
  const { muted = true } = request;
  const method = PeopleService.method.muteUser;
  return writeAboutUser(ctx, method, { ...request, muted }, async (db, { actor, user }) => {
    await (muted ? insertMute : deleteMute)(db, actor.user_id, user.user_id);
    return showUser(db, actor, user);
  });
}

/** Reports a user or one of their statuses to the operator, whether the reporter may read it or not. */
export function reportUser(ctx: SocialContext, request: ReportUserRequest) {
  const { userId: reporterId, statusId, reason } = request;
  return writeAboutUser(ctx, PeopleService.method.reportUser, request, async (db, { user }) => {
    if (statusId !== undefined) {
      const status = await findStatus(db, { authorId: user.user_id, id: statusId });
      if (status === undefined) throw unknownStatus();
    }
    await upsertReport(db, { reporterId, userId: user.user_id, statusId: statusId ?? 0n, reason });
    return {};
  });
}

/** A request about a user: `userId` is the actor, `screenName` or `subjectId` names the other user. */
type AboutUser = { userId: bigint; screenName: string; subjectId?: bigint; requestId: string };

/** The rows of both, locked. */
interface LockedPair {
  actor: LockedProfile;
  user: LockedProfile;
}

/**
 * Runs the write of an RPC between an actor and another user, once for its request id.
 * @throws InvalidArgument naming every bad field; NotFound for an unknown user, Unavailable while the actor has no profile,
 * Unauthenticated when it is gone, PermissionDenied `Suspended`
 */
async function writeAboutUser<I extends DescMessage, O extends DescMessage>(
  ctx: SocialContext,
  method: DescMethodUnary<I, O>,
  request: MessageShape<I> & AboutUser,
  work: (db: Db, pair: LockedPair) => Promise<MessageInitShape<O>>,
): Promise<MessageShape<O>> {
  const { userId: actorId } = request;
  const named = await findNamedUser(ctx, request);
  checkRequest(method.input, request, [named.ids.includes(actorId) ? selfNamed : undefined]);
  return writeOnce(ctx, method, request, [actorId, ...named.ids], async (db) =>
    work(db, await lockPair(db, actorId, named)),
  );
}

/** The request names the actor (contract §11.10). */
const selfNamed = badField("screenName", "RegularExpression", "'Screen Name' must be another user's.");

async function lockPair(db: Db, actorId: bigint, named: NamedUser): Promise<LockedPair> {
  const userId = getNamedId(named);
  const locked = await lockProfiles(db, [actorId, userId]);
  const [actor, user] = [locked.get(actorId), locked.get(userId)];
  if (user === undefined) throw unknownScreenName();
  if (actor === undefined) throw await missingActor(db, actorId);
  if (user.suspended) throw suspendedUser();
  return { actor, user };
}

/** The answer of a write between an actor and a user, whose rows are locked: the user as the actor sees them now. */
async function showUser(db: Db, actor: LockedProfile, user: LockedProfile) {
  const rows = await listProfiles(db, [user.user_id], [], actor.user_id);
  return { results: shownUsers(rows, actor.user_id) };
}
