import { ConnectError } from "@connectrpc/connect";
import { authorSubject, type Subject, viewerSubject } from "../../domain/subjects.ts";
import { findStatus, originalAuthor, type StatusKey } from "../../store/statuses/find-status.ts";
import type { WriteTransaction } from "../write.ts";
import { mayRead } from "./may-read.ts";

/** A status that another one answers. */
export interface AnsweredStatus extends StatusKey {
  /** The name of its author. */
  screenName: string;
  /** What the reply asserts of others: that the user may read the status. */
  subjects: readonly Subject[];
}

/** How an RPC refuses an answer. */
interface Refusals {
  /** There is no such status for this user. */
  unknown(): ConnectError;
  /** The user may not read it. */
  unreadable(): ConnectError;
}

/**
 * The status that a user answers. Locks the user, so that no block can come between this check and the answer.
 * @throws one of the refusals, PermissionDenied when its author is suspended or has blocked the user
 */
export async function getAnsweredStatus(
  tx: WriteTransaction,
  key: StatusKey,
  userId: bigint,
  refusals: Refusals,
): Promise<AnsweredStatus> {
  await tx.lock([userId]);
  const status = await findStatus(tx.db, key);
  const original = originalAuthor(status);
  try {
    if (status === undefined || status.withheld) throw refusals.unknown();
    if (!(await mayRead(tx.db, status, userId))) throw refusals.unreadable();
    const ofOriginal = original.length > 0 ? await tx.subjectsOf(original) : [];
    const subjects = [viewerSubject({ user_id: userId }), authorSubject(status), ...ofOriginal];
    return { ...key, screenName: status.screen_name, subjects };
  } catch (error) {
    // A refusal asserts the state of the author, and of the author of the original.
    if (error instanceof ConnectError) await tx.subjectsOf([key.authorId, ...original]);
    throw error;
  }
}
