import type { Db } from "../../../platform/postgres/pool.ts";

/** Users whose protection or suspension has changed while reposts of their statuses may not be updated yet. */
interface RepostsDue {
  user_id: bigint;
  /** The content version at which it last changed; null where the user was deleted since. */
  due: bigint | null;
}

/**
 * Those of these users whose reposts are due: after a change of the protection or suspension, or a deletion within the last hour, which may
 * not have reached them yet.
 */
export async function findRepostsDue(db: Db, userIds: readonly bigint[]): Promise<RepostsDue[]> {
  const { rows } = await db.query<RepostsDue>({
    name: "find-reposts-due",
    text: `select user_id, reposts_due as due from social.profile
           where user_id = any ($1::bigint[]) and reposts_due is not null
           union all
           select user_id, null::bigint from social.removed_profile
           where user_id = any ($1::bigint[]) and removed_at > now() - interval '1 hour'`,
    values: [userIds],
  });
  return rows;
}

/** Up to `limit` of all such users, in random order, so that a user for whom the update always fails does not block the others. */
export async function listRepostsDue(db: Db, limit: number): Promise<bigint[]> {
  const { rows } = await db.query<{ user_id: bigint }>({
    name: "list-reposts-due",
    text: `select user_id from social.profile where reposts_due is not null order by random() limit $1`,
    values: [limit],
  });
  return rows.map((row) => row.user_id);
}

/** Notes that all reposts are updated, unless protection or suspension have changed again since that version. */
export async function clearRepostsDue(db: Db, userId: bigint, due: bigint): Promise<void> {
  await db.query({
    name: "clear-reposts-due",
    text: `update social.profile set reposts_due = null where user_id = $1 and reposts_due = $2`,
    values: [userId, due],
  });
}
