import type { Db } from "../../platform/postgres/pool.ts";

export interface AccountStateRow {
  userId: bigint;
  userName: string;
  claimed: boolean;
  deleted: boolean;
  queued: boolean;
  unfinished: boolean;
}

/** The `limit` users after this one who have an account or had one. In one snapshot with the outbox. */
export async function listAccountStates(db: Db, afterUserId: bigint, limit: number): Promise<AccountStateRow[]> {
  const { rows } = await db.query<AccountStateRow>({
    name: "list-account-states",
    // An account that waits for its deletion has both rows.
    text: `with page as (
             (select user_id, user_name, claimed, false as deleted, false as unfinished from account.account
              where user_id > $1 and deleted_at is null order by user_id limit $2)
             union all
             (select user_id, '', false, true, completed_at is null from account.deletion
              where user_id > $1 order by user_id limit $2)
             order by user_id limit $2
           )
           select user_id as "userId", user_name as "userName", claimed, deleted, unfinished,
             exists (select from account_jobs._private_jobs
                     where key = case when deleted then 'delete-profile:' else 'create-profile:' end || user_id) as queued
           from page order by user_id`,
    values: [afterUserId, limit],
  });
  return rows;
}
