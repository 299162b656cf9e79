import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { badField } from "../../../platform/errors.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import type { SocialContext } from "../../context.ts";
import { suspendedUser, unknownScreenName } from "../../domain/errors.ts";
import { type LockedProfile, lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { writeOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";
import { missingActor } from "./missing-actor.ts";
import { findNamedUser, getNamedId, type NamedUser } from "./named-user.ts";

/** A request about a user: `userId` is the actor, `screenName` or `subjectId` names the other user. */
type AboutUser = { userId: bigint; screenName: string; subjectId?: bigint; requestId: string };

/** The rows of both, locked. */
interface LockedPair {
  actor: LockedProfile;
  user: LockedProfile;
}

/**
 * Runs the write of an RPC between an actor and another user, once for its request id (write-once.ts).
 * @throws InvalidArgument naming every bad field; NotFound for an unknown user, Unavailable while the actor has no profile,
 * Unauthenticated when it is gone, PermissionDenied `Suspended`
 */
export async function writeAboutUser<I extends DescMessage, O extends DescMessage>(
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
