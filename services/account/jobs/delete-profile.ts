import type { Db } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import { findAccount } from "../store/accounts.ts";
import { completeDeletion, countBatch } from "../store/deletions.ts";
import type { RepeatedPayload } from "./until-done.ts";

/** The name of the job that deletes what a user wrote. */
export const deleteProfileJob = "delete-profile";

/** Adds the job in the caller's transaction, with a delay: a small profile is deleted at once, and the job is removed unused. */
export async function enqueueDeleteProfile(db: Db, userId: bigint): Promise<void> {
  const payload: RepeatedPayload = { userId: userId.toString(), failures: 0 };
  await db.query({
    name: "enqueue-delete-profile",
    text: `select from account_jobs.add_job($1, $2::json, run_at => now() + interval '3 seconds', job_key => $3)`,
    values: [deleteProfileJob, JSON.stringify(payload), deleteProfileKey(payload.userId)],
  });
}

/** Removes the job when its work is done. */
export async function dequeueDeleteProfile(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "dequeue-delete-profile",
    text: `select from account_jobs.remove_job($1)`,
    values: [deleteProfileKey(userId.toString())],
  });
}

/** The job's key: a user has one such job at most. */
export function deleteProfileKey(userId: string): string {
  return `${deleteProfileJob}:${userId}`;
}

/**
 * Asks the social service to delete one batch. True when nothing is left; then the account's name is free again. Changes nothing for a user
 * whose account is there, such as after the restore of a backup from before the deletion.
 */
export async function deleteBatch(ctx: AccountContext, userId: bigint): Promise<boolean> {
  if ((await findAccount(ctx.pool, userId)) !== undefined) return true;
  const { complete } = await ctx.profiles.deleteProfile({ userId }, { timeoutMs: deletionTimeoutMs });
  await (complete ? completeDeletion(ctx.pool, userId) : countBatch(ctx.pool, userId));
  return complete;
}

/** Milliseconds. A batch takes longer than making a profile, and less than the time after which a job counts as abandoned. */
const deletionTimeoutMs = 8_000;
