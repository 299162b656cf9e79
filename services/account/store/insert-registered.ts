import type { Db } from "../../platform/postgres/pool.ts";
import type { NewSession } from "./insert-session.ts";

export interface NewAccount {
  userName: string;
  firstName: string;
  lastName: string;
  displayName: string;
  email: string | undefined;
  emailKey: string | undefined;
  passwordHash: string;
}

export interface Account {
  userId: bigint;
  userName: string;
  displayName: string;
  createdAt: Date;
}

/** The job that owes an account its profile. */
export interface OwedProfile {
  task: string;
  /** The job's key, without the user id at its end. */
  keyPrefix: string;
}

/**
 * Adds an account with its session and the job that owes it a profile, or returns undefined when its name or address is taken: the
 * unique keys decide, nothing else. The job waits 3 seconds: usually the profile is made at once, and the job is removed
 * unused. One statement, since a round trip costs more than what it does. The job goes into the library's own table: add_job would
 * notify the worker of each, which would look for a job that is due and find none.
 */
export async function insertRegistered(
  db: Db,
  account: NewAccount,
  session: Omit<NewSession, "userId">,
  owed: OwedProfile,
): Promise<Account | undefined> {
  const { rows } = await db.query<Account>({
    name: "insert-registered",
    text: `with added as (
             insert into account.account
               (user_id, user_name, first_name, last_name, display_name, email, email_key, password_hash, claimed, created_at)
             select account.next_id(at), $1, $2, $3, $4, $5, $6, $7, true, at from clock_timestamp() as at
             on conflict do nothing
             returning user_id, user_name, display_name, created_at
           ), opened as (
             insert into account.session (id_hash, user_id, signed_in, expires_at)
             select $8, user_id, $9, now() + $10 * interval '1 second' from added
           ), owed as (
             insert into account_jobs._private_jobs (task_id, payload, run_at, key)
             select (select id from account_jobs._private_tasks where identifier = $11),
               json_build_object('userId', user_id::text, 'userName', user_name, 'displayName', display_name,
                 'createdAt', created_at, 'failures', 0),
               now() + interval '3 seconds', $12 || user_id
             from added
           )
           select user_id as "userId", user_name as "userName", display_name as "displayName", created_at as "createdAt"
           from added`,
    values: [
      account.userName,
      account.firstName,
      account.lastName,
      account.displayName,
      account.email ?? null,
      account.emailKey ?? null,
      account.passwordHash,
      session.idHash,
      session.signedIn,
      session.maxAge,
      owed.task,
      owed.keyPrefix,
    ],
  });
  return rows[0];
}
