import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";

/** A user, and the beginnings of words of the user's name, each once. */
export interface PrefixedUser {
  userId: bigint;
  screenName: string;
  prefixes: readonly string[];
}

/** Adds the prefixes of users who have none. */
export async function insertPrefixes(db: Db, users: readonly PrefixedUser[]): Promise<void> {
  const rows = users.flatMap(({ userId, screenName, prefixes }) =>
    prefixes.map((prefix) => ({ prefix, key: nameKey(screenName), userId })),
  );
  if (rows.length === 0) return;
  await db.query({
    name: "insert-prefixes",
    text: `insert into social.name_prefix (prefix, name_key, user_id) select * from unnest($1::text[], $2::text[], $3::bigint[])`,
    values: [rows.map(({ prefix }) => prefix), rows.map(({ key }) => key), rows.map(({ userId }) => userId)],
  });
}

/** Replaces the prefixes of users, whose rows are locked. */
export async function replacePrefixes(db: Db, users: readonly PrefixedUser[]): Promise<void> {
  if (users.length === 0) return;
  await deletePrefixes(
    db,
    users.map(({ userId }) => userId),
  );
  await insertPrefixes(db, users);
}

/** Deletes all prefixes of users. */
export async function deletePrefixes(db: Db, userIds: readonly bigint[]): Promise<void> {
  await db.query({
    name: "delete-prefixes",
    text: `delete from social.name_prefix where user_id = any ($1::bigint[])`,
    values: [userIds],
  });
}
