import type { Db } from "../../../platform/postgres/pool.ts";

/** A user who may fit a search. */
export interface NamedUser {
  nameKey: string;
  userId: bigint;
}

/** The users whose name keys begin with a text, by name key, after one of them. Needs no shard. */
export async function listNamed(db: Db, key: string, after: string, limit: number): Promise<NamedUser[]> {
  const { rows } = await db.query<NamedUser>({
    name: "list-named",
    // Name keys are ASCII.
    text: `select name_key as "nameKey", user_id as "userId" from social.screen_name
           where name_key >= $1 and name_key < $2 and name_key > $3 order by name_key limit $4`,
    values: [key, `${key}\u007f`, after, limit],
  });
  return rows;
}

/** The same for users with a name of which a word begins with a text. */
export async function listPrefixed(db: Db, prefix: string, after: string, limit: number): Promise<NamedUser[]> {
  const { rows } = await db.query<NamedUser>({
    name: "list-prefixed",
    text: `select name_key as "nameKey", user_id as "userId" from social.name_prefix
           where prefix = $1 and name_key > $2 order by name_key limit $3`,
    values: [prefix, after, limit],
  });
  return rows;
}
