import { type BadField, badField } from "../../../platform/errors.ts";
import { isScreenName } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { suspendedUser, unknownScreenName } from "../../domain/errors.ts";
import { authorSubject } from "../../domain/subjects.ts";
import { findUserId } from "../../store/profiles/find-user-id.ts";
import type { LockedProfile } from "../../store/profiles/lock-profiles.ts";
import type { Write } from "../write.ts";
import { missingActor } from "./missing-actor.ts";

/** The user whom a request names, looked up before the write begins, so that the write waits in that user's queue as well. */
export interface NamedUser {
  screenName: string;
  /** Empty when no user has that name. */
  ids: readonly bigint[];
}

/** Looks a screen name up. No user has one that is not valid. */
export async function findNamedUser({ pool }: SocialContext, screenName: string): Promise<NamedUser> {
  const id = isScreenName(screenName) ? await findUserId(pool, screenName) : undefined;
  return { screenName, ids: id === undefined ? [] : [id] };
}

/** The fault of a request that names the actor where another user is expected (contract §11.10). */
export function selfFault({ ids }: NamedUser, actorId: bigint): BadField | undefined {
  if (!ids.includes(actorId)) return undefined;
  return badField("screenName", "RegularExpression", "'Screen Name' must be another user's.");
}

/** The id of a named user. @throws NotFound when no user has the name; the refusal asserts that */
export function getNamedId(write: Write, { screenName, ids: [id] }: NamedUser): bigint {
  if (id !== undefined) return id;
  if (isScreenName(screenName)) write.noteLookedUp([authorSubject({ screen_name: screenName })]);
  throw unknownScreenName();
}

/**
 * Locks the rows of an actor and of the user whom the request names.
 * @throws NotFound for an unknown user, Unavailable while the actor has no profile, Unauthenticated when it is gone,
 * PermissionDenied `Suspended`
 */
export async function lockPair(
  write: Write,
  actorId: bigint,
  named: NamedUser,
): Promise<{ actor: LockedProfile; user: LockedProfile }> {
  const userId = getNamedId(write, named);
  const locked = await write.lock([actorId, userId]);
  const [actor, user] = [locked.get(actorId), locked.get(userId)];
  if (user === undefined) throw unknownScreenName();
  if (actor === undefined) throw await missingActor(write.db, actorId);
  if (user.suspended) throw suspendedUser();
  return { actor, user };
}
