import type { Db } from "../../../platform/postgres/pool.ts";

/** A user who may fit a search. */
export interface NamedUser {
  nameKey: string;
  userId: bigint;
}

/** What users are looked up by; each is undefined where nobody can be found by it. */
export interface NameBeginnings {
  /** The beginning of the name key. */
  nameKey: string | undefined;
  /** The beginning of a word of the name. */
  prefix: string | undefined;
}

/** The users who have one of these beginnings, by name key, after one of them, each once. */
export async function listNamed(
  db: Db,
  { nameKey, prefix }: NameBeginnings,
  after: string,
  limit: number,
): Promise<NamedUser[]> {
  const { rows } = await db.query<NamedUser>({
    name: "list-named",
    // Name keys are ASCII.
    text: `(select name_key as "nameKey", user_id as "userId" from social.screen_name
            where name_key >= $1 and name_key < $1 || e'\\x7f' and name_key > $3 order by name_key limit $4)
           union
           (select name_key, user_id from social.name_prefix
            where prefix = $2 and name_key > $3 order by name_key limit $4)
           order by "nameKey" limit $4`,
    values: [nameKey ?? null, prefix ?? null, after, limit],
  });
  return rows;
}
