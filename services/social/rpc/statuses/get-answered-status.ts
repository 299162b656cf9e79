import { ConnectError } from "@connectrpc/connect";
import type { Db } from "../../../platform/postgres/pool.ts";
import { lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { findStatus, type StatusKey } from "../../store/statuses/find-status.ts";
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
export async function getAnsweredStatus(
  db: Db,
  key: StatusKey,
  userId: bigint,
  refusals: Refusals,
): Promise<AnsweredStatus> {
  await lockProfiles(db, [userId]);
  const status = await findStatus(db, key);
  if (status === undefined || status.withheld) throw refusals.unknown();
  if (!(await mayRead(db, status, userId))) throw refusals.unreadable();
  return { ...key, screenName: status.screen_name };
}
