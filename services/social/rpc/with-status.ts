import type { StatusReference } from "../../../proto/gen/social/v1/status_service_pb.ts";
import { failedPrecondition, invalid, notFound } from "../../platform/errors.ts";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";
import { canRead } from "../domain/can-read.ts";
import { type FoundStatus, findStatus, type StatusKey } from "../store/find-status.ts";
import { isFollowing } from "../store/follows.ts";
import { lockProfiles } from "../store/lock-profiles.ts";

type Work<T> = (db: Db, key: StatusKey, status: FoundStatus) => Promise<T>;

/** What a user does to which status. */
interface StatusWrite {
  userId: bigint;
  status?: StatusReference | undefined;
}

/**
 * Runs a user's write on somebody's status in a transaction that holds both users' rows. The work gets the status that
 * counts: a repost stands for what it repeats.
 * @throws NotFound for an unknown user or status
 */
export function withStatus<T>(ctx: SocialContext, { userId, status: named }: StatusWrite, work: Work<T>): Promise<T> {
  if (named === undefined) throw invalid("status", "NotEmpty", "'Status' should not be empty.");
  return transaction(ctx.pool, async (db) => {
    const key = await originalOf(db, named);
    const locked = await lockProfiles(db, [userId, key.authorId]);
    if (!locked.has(userId)) throw notFound("There is no user with that id.");
    return work(db, key, await getStatus(db, key));
  });
}

/**
 * Like withStatus, for what only a reader of the status may do.
 * @throws FailedPrecondition when the user may not read it
 */
export function withReadableStatus<T>(ctx: SocialContext, request: StatusWrite, work: Work<T>): Promise<T> {
  const { userId } = request;
  return withStatus(ctx, request, async (db, key, status) => {
    const following = status.protected && (await isFollowing(db, userId, key.authorId));
    if (!canRead({ ...status, following }, userId)) {
      throw failedPrecondition("The statuses of a protected user are for approved followers.");
    }
    return work(db, key, status);
  });
}

async function originalOf(db: Db, named: StatusKey): Promise<StatusKey> {
  const status = await getStatus(db, named);
  if (status.repost_of_author_id === null || status.repost_of_id === null) return named;
  return { authorId: status.repost_of_author_id, id: status.repost_of_id };
}

async function getStatus(db: Db, key: StatusKey): Promise<FoundStatus> {
  const status = await findStatus(db, key);
  if (status === undefined) throw notFound("There is no such status.");
  return status;
}
