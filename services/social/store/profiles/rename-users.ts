import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";
import { listNameHolders } from "./name-holders.ts";

interface NamedUser {
  user_id: bigint;
  screen_name: string;
}

/**
 * Gives users the names of their profiles, except names that belong to others. As in takeName, free names are inserted and nothing
 * else.
 * @param mayBeRenamed those of the users who may have had other names, which are then removed
 * @throws DatabaseError with a violated unique key when another transaction has just taken a name: trying again helps
 */
export async function renameUsers(
  db: Db,
  users: readonly NamedUser[],
  mayBeRenamed: readonly NamedUser[],
): Promise<void> {
  if (mayBeRenamed.length > 0 && (await hasOtherNames(db, mayBeRenamed))) await deleteOtherNames(db, mayBeRenamed);
  const keys = users.map((user) => nameKey(user.screen_name));
  const holders = await listNameHolders(db, keys);
  const free = users.filter((_, index) => !holders.has(keys[index] as string));
  if (free.length > 0) await insertNames(db, free);
}

async function hasOtherNames(db: Db, users: readonly NamedUser[]): Promise<boolean> {
  const { rows } = await db.query({
    name: "has-other-names",
    text: `select from social.screen_name as name join unnest($1::bigint[], $2::text[]) as named (user_id, name_key)
             on name.user_id = named.user_id and name.name_key <> named.name_key
           limit 1`,
    values: valuesOf(users),
  });
  return rows.length > 0;
}

async function deleteOtherNames(db: Db, users: readonly NamedUser[]): Promise<void> {
  await db.query({
    name: "delete-other-names",
    text: `delete from social.screen_name as name using unnest($1::bigint[], $2::text[]) as named (user_id, name_key)
           where name.user_id = named.user_id and name.name_key <> named.name_key`,
    values: valuesOf(users),
  });
}

/** In ascending order, so that no two transactions wait for each other. */
async function insertNames(db: Db, users: readonly NamedUser[]): Promise<void> {
  await db.query({
    name: "insert-names",
    text: `insert into social.screen_name (user_id, name_key)
           select user_id, name_key from unnest($1::bigint[], $2::text[]) as free (user_id, name_key) order by name_key`,
    values: valuesOf(users),
  });
}

function valuesOf(users: readonly NamedUser[]) {
  return [users.map((user) => user.user_id), users.map((user) => nameKey(user.screen_name))];
}
