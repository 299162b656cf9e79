import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Db } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import type { Account } from "../store/insert-registered.ts";

/** The name of the job that gives an account its profile. */
export const createProfileJob = "create-profile";

/** The job's payload: JSON, so the id is text. */
export interface CreateProfilePayload {
  userId: string;
  userName: string;
  displayName: string;
  createdAt: string;
  /** How often it has failed. */
  failures: number;
}

/** Removes the jobs of these users when their work is done. One that runs goes on: it changes nothing. */
export async function dequeueCreateProfile(db: Db, userIds: readonly bigint[]): Promise<void> {
  await db.query({
    name: "dequeue-create-profile",
    text: `delete from account_jobs._private_jobs where key = any ($1::text[]) and locked_at is null`,
    values: [userIds.map((userId) => createProfileKey(userId.toString()))],
  });
}

/** The job's key: a user has one such job at most. */
export function createProfileKey(userId: string): string {
  return `${createProfileJob}:${userId}`;
}

/** Asks the social service to create the profile. Repeating it changes nothing. */
export async function createProfile(ctx: AccountContext, payload: CreateProfilePayload): Promise<void> {
  await ctx.profiles.createProfile({
    userId: BigInt(payload.userId),
    screenName: payload.userName,
    name: payload.displayName,
    createdAt: timestampFromDate(new Date(payload.createdAt)),
  });
}

export function payloadOf(account: Account): CreateProfilePayload {
  return {
    userId: account.userId.toString(),
    userName: account.userName,
    displayName: account.displayName,
    createdAt: account.createdAt.toISOString(),
    failures: 0,
  };
}
