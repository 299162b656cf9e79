import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import type { ProfileService } from "../../../proto/gen/social/v1/profile_service_pb.ts";
import type { Db } from "../../platform/postgres/pool.ts";
import { type Account, createProfileKey } from "../store/registrations.ts";
import type { RepeatedPayload } from "./until-done.ts";

/** A client of the social service's profiles. */
export type ProfileClient = Client<typeof ProfileService>;

/** The job's payload; the time is text, since it is JSON. */
export interface CreateProfilePayload extends RepeatedPayload {
  userName: string;
  displayName: string;
  createdAt: string;
}

/** Removes the jobs of these users when their work is done. A job that is running continues, and changes nothing. */
export async function dequeueCreateProfile(db: Db, userIds: readonly bigint[]): Promise<void> {
  await db.query({
    name: "dequeue-create-profile",
    text: `delete from account_jobs._private_jobs where key = any ($1::text[]) and locked_at is null`,
    values: [userIds.map((userId) => createProfileKey(userId.toString()))],
  });
}

/** Asks the social service to create the profile that a job is for. Repeating it changes nothing. */
export async function createProfile(profiles: ProfileClient, payload: CreateProfilePayload): Promise<void> {
  const { userId, userName, displayName, createdAt } = payload;
  await profiles.createProfile(
    requestOf({ userId: BigInt(userId), userName, displayName, createdAt: new Date(createdAt) }),
  );
}

/** Asks it to create those of new accounts, in one call. Repeating it changes nothing. */
export async function createProfiles(profiles: ProfileClient, accounts: readonly Account[]): Promise<void> {
  await profiles.createProfiles({ profiles: accounts.map(requestOf) });
}

function requestOf({ userId, userName, displayName, createdAt }: Account) {
  return { userId, screenName: userName, name: displayName, createdAt: timestampFromDate(createdAt) };
}
