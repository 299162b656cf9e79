import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import type { ProfileService } from "../../../proto/gen/social/v1/profile_service_pb.ts";
import type { Db, Pool } from "../../platform/postgres/pool.ts";
import { findAccount } from "../store/accounts.ts";
import { type Account, createProfileKey } from "../store/registrations.ts";

/** A client of the social service's profiles. */
export type ProfileClient = Client<typeof ProfileService>;

/** Removes the jobs of these users when their work is done. A job that is running continues, and changes nothing. */
export async function dequeueCreateProfile(db: Db, userIds: readonly bigint[]): Promise<void> {
  await db.query({
    name: "dequeue-create-profile",
    text: `delete from account_jobs._private_jobs where key = any ($1::text[]) and locked_at is null`,
    values: [userIds.map((userId) => createProfileKey(userId.toString()))],
  });
}

/**
 * Asks the social service to create the profile of an account as it is now. Repeating it changes nothing, also long after the account was
 * deleted, renamed, or replaced by one of a backup: the job's payload counts for nothing but its user.
 */
export async function createProfile(
  { pool, profiles }: { pool: Db; profiles: ProfileClient },
  userId: bigint,
): Promise<void> {
  const account = await findAccount(pool, userId);
  if (account !== undefined) await profiles.createProfile(requestOf(account));
}

/** Asks it to create those of new accounts, in one call. Repeating it changes nothing. */
export async function createProfiles(profiles: ProfileClient, accounts: readonly Account[]): Promise<void> {
  await profiles.createProfiles({ profiles: accounts.map(requestOf) });
}

function requestOf({ userId, userName, displayName, createdAt }: Account) {
  return { userId, screenName: userName, name: displayName, createdAt: timestampFromDate(createdAt) };
}

/** Removes the jobs of profiles that the registration itself has made, many in one statement. No registration waits for that. */
export interface FinishedProfileJobs {
  add(userId: bigint): void;
  /** Removes the jobs that are left. Never rejects. */
  stop(): Promise<void>;
}

export function createFinishedProfileJobs(pool: Pool): FinishedProfileJobs {
  let made: bigint[] = [];
  let timer: NodeJS.Timeout | undefined;
  let dequeued: Promise<void> = Promise.resolve();

  function dequeue(): void {
    timer = undefined;
    const userIds = made;
    made = [];
    // A job that is not removed runs, and changes nothing.
    if (userIds.length > 0) dequeued = dequeued.then(() => dequeueCreateProfile(pool, userIds)).catch(() => {});
  }

  return {
    add(userId) {
      made.push(userId);
      timer ??= setTimeout(dequeue, pauseMs).unref();
    },
    stop() {
      clearTimeout(timer);
      dequeue();
      return dequeued;
    },
  };
}

/** Milliseconds for which jobs are gathered; a job waits for 3,000. */
const pauseMs = 500;
