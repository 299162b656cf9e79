import { ConnectError } from "@connectrpc/connect";
import { findStatus, originalAuthor, type StatusKey } from "../../store/statuses/find-status.ts";
import type { WriteTransaction } from "../write.ts";
import { mayRead } from "./may-read.ts";

/** A status that another one answers. */
export interface AnsweredStatus extends StatusKey {
  /** The name of its author. */
  screenName: string;
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
export async function getAnsweredStatus(tx: WriteTransaction, key: StatusKey, userId: bigint, refusals: Refusals) {
  await tx.lock([userId]);
  const status = await findStatus(tx.db, key);
  try {
    if (status === undefined || status.withheld) throw refusals.unknown();
    if (!(await mayRead(tx.db, status, userId))) throw refusals.unreadable();
    return { ...key, screenName: status.screen_name };
  } catch (error) {
    // A refusal asserts the state of the author, and of the author of the original.
    if (error instanceof ConnectError) await tx.subjectsOf([key.authorId, ...originalAuthor(status)]);
    throw error;
  }
}
