import { permissionDenied } from "../../../platform/errors.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { protectedStatuses, unknownStatus } from "../../domain/errors.ts";
import { lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { findStatus, type StatusKey } from "../../store/statuses/find-status.ts";
import { mayRead } from "./may-read.ts";

/** A status that another one answers. */
export interface AnsweredStatus extends StatusKey {
  /** The name of its author. */
  screenName: string;
}

/**
 * The status that a user answers. Locks the user, so that no block can come between this check and the answer.
 * @throws NotFound; PermissionDenied when the user may not read it, and when its author is suspended or has blocked the user
 */
export async function getAnsweredStatus(db: Db, key: StatusKey, userId: bigint): Promise<AnsweredStatus> {
  await lockProfiles(db, [userId]);
  const status = await findStatus(db, key);
  if (status === undefined || status.withheld) throw unknownStatus();
  if (!(await mayRead(db, status, userId))) throw permissionDenied(protectedStatuses);
  return { ...key, screenName: status.screen_name };
}
