import type { Db } from "../../platform/postgres/pool.ts";
import type { NewSession } from "./sessions.ts";

/** The name and the address that have to be free for an account; undefined where it has none. */
export interface WantedNames {
  userName: string | undefined;
  emailKey: string | undefined;
}

export interface Taken {
  userName: boolean;
  email: boolean;
}

/** For each of the accounts, whether its user name and its e-mail address are taken. Only insertRegistered decides. */
export async function listTaken(db: Db, wanted: readonly WantedNames[]): Promise<Taken[]> {
  const { rows } = await db.query<Taken>({
    name: "list-taken",
    // Each a look-up in an index: `exists` may be answered from a hash of the whole table.
    text: `select coalesce((select true from account.account where name_key = lower(wanted.user_name collate "C")), false) as "userName",
                  coalesce((select true from account.account where account.email_key = wanted.email_key), false) as "email"
           from unnest($1::text[], $2::text[]) with ordinality as wanted (user_name, email_key, place) order by place`,
    values: [wanted.map(({ userName }) => userName), wanted.map(({ emailKey }) => emailKey)],
  });
  return rows;
}

/** The rows that a registration adds. */
export interface Registered {
  account: NewAccount;
  session: Omit<NewSession, "userId">;
}

interface NewAccount {
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

/** The name of the job that gives an account its profile. */
export const createProfileJob = "create-profile";

/** The job's key: a user has one such job at most. */
export function createProfileKey(userId: string): string {
  return `${createProfileJob}:${userId}`;
}

/**
 * Adds accounts, each with its session and the job that gives it a profile. Returns them in the order of the list, undefined where
 * a name or an address is taken, also by another one of the list: the unique keys decide, nothing else. The jobs wait 3 seconds:
 * usually the profiles are made at once, and the jobs are removed unused. One statement, since a round trip costs more than the
 * inserts. The jobs go into the library's own table: add_job would notify the worker of each, which would look for a due job and
 * find none.
 */
export async function insertRegistered(db: Db, registered: readonly Registered[]): Promise<(Account | undefined)[]> {
  const { rows } = await db.query<Account & { ordinal: number }>({
    name: "insert-registered",
    // In the order of names, so that two statements with the same names do not wait for each other.
    text: `with given as materialized (
             select given.*, account.next_id(at) as user_id, at as created_at
             from clock_timestamp() as at, unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
               $7::text[], $8::bytea[], $9::bool[], $10::int[]) with ordinality as given
               (user_name, first_name, last_name, display_name, email, email_key, password_hash, id_hash, signed_in, max_age, ordinal)
           ), added as (
             insert into account.account
               (user_id, user_name, first_name, last_name, display_name, email, email_key, password_hash, claimed, created_at)
             select user_id, user_name, first_name, last_name, display_name, email, email_key, password_hash, true, created_at
             from given order by lower(user_name collate "C")
             on conflict do nothing
             returning user_id, user_name, display_name, created_at
           ), opened as (
             insert into account.session (id_hash, user_id, signed_in, expires_at)
             select id_hash, user_id, signed_in, now() + max_age * interval '1 second' from given join added using (user_id)
           ), added_job as (
             insert into account_jobs._private_jobs (task_id, payload, run_at, key)
             select (select id from account_jobs._private_tasks where identifier = $11),
               json_build_object('userId', user_id::text, 'userName', user_name, 'displayName', display_name,
                 'createdAt', created_at, 'failures', 0),
               now() + interval '3 seconds', $12 || user_id
             from added
           )
           select ordinal::int, user_id as "userId", added.user_name as "userName", added.display_name as "displayName",
             added.created_at as "createdAt"
           from given join added using (user_id)`,
    values: [...columnsOf(registered), createProfileJob, createProfileKey("")],
  });
  const byOrdinal = new Map(rows.map(({ ordinal, ...account }) => [ordinal, account]));
  return registered.map((_, index) => byOrdinal.get(index + 1));
}

/** A list for each column, in the order of the statement. */
function columnsOf(registered: readonly Registered[]): unknown[][] {
  const accounts = registered.map(({ account }) => account);
  const sessions = registered.map(({ session }) => session);
  return [
    accounts.map(({ userName }) => userName),
    accounts.map(({ firstName }) => firstName),
    accounts.map(({ lastName }) => lastName),
    accounts.map(({ displayName }) => displayName),
    accounts.map(({ email }) => email),
    accounts.map(({ emailKey }) => emailKey),
    accounts.map(({ passwordHash }) => passwordHash),
    sessions.map(({ idHash }) => idHash),
    sessions.map(({ signedIn }) => signedIn),
    sessions.map(({ maxAge }) => maxAge),
  ];
}
