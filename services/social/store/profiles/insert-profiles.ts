import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";
import { searchRules } from "../../../platform/rules/search-rules.ts";
import { insertPrefixes, type PrefixedUser } from "../search/name-prefixes.ts";
import { listNameHolders } from "./name-holders.ts";

export interface NewProfile extends PrefixedUser {
  name: string;
  createdAt: Date;
}

/**
 * Adds profiles of different users under their names. A user who has a profile keeps it and its name, and a deleted user gets none.
 * The account service has given each name to this user, so another user who had it here loses it.
 * @param isCluster there a name and its profile lie on different servers
 */
export async function insertProfiles(db: Db, profiles: readonly NewProfile[], isCluster: boolean): Promise<void> {
  const ids = profiles.map(({ userId }) => userId);
  await withReservedIds(db, ids, async (reserved) => {
    const wanted = profiles.filter(({ userId }) => reserved.has(userId));
    const { existing, added } = isCluster
      ? { existing: await listExisting(db, wanted), added: new Set<bigint>() }
      : await insertNamed(db, wanted);
    // On one server this is rare: only those are missing whose names are not free.
    for (const profile of wanted) {
      if (existing.has(profile.userId) || added.has(profile.userId)) continue;
      if (await insert(db, profile)) added.add(profile.userId);
    }
    await insertPrefixes(
      db,
      wanted.filter(({ userId }) => added.has(userId)),
    );
  });
}

/** The users among these who have a profile. */
async function listExisting(db: Db, profiles: readonly NewProfile[]): Promise<Set<bigint>> {
  // For an empty list a cluster would ask every shard.
  if (profiles.length === 0) return new Set();
  const { rows } = await db.query<{ user_id: bigint }>({
    name: "list-existing-profiles",
    text: `select user_id from social.profile where user_id = any ($1::bigint[])`,
    values: [profiles.map(({ userId }) => userId)],
  });
  return new Set(rows.map((row) => row.user_id));
}

/** Adds profiles with their names, in one round trip; leaves out those whose name is not free. */
async function insertNamed(db: Db, profiles: readonly NewProfile[]) {
  const { rows } = await db.query<{ user_id: bigint; is_new: boolean }>({
    name: "insert-named-profiles",
    // In the order of names, so that two transactions with the same names do not wait for each other.
    text: `with given as (
             select * from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])
               as given (user_id, screen_name, name, created_at, name_key)
           ), existing as (
             select user_id from social.profile where user_id = any ($1::bigint[])
           ), named as (
             insert into social.screen_name (name_key, user_id)
             select name_key, user_id from given where user_id not in (select user_id from existing) order by name_key
             on conflict do nothing returning user_id
           ), added as (
             insert into social.profile (user_id, screen_name, name, created_at, search_rules)
             select user_id, screen_name, name, created_at, ${searchRules} from given join named using (user_id)
             on conflict do nothing
           )
           select user_id, true as is_new from named union all select user_id, false from existing`,
    values: [
      profiles.map(({ userId }) => userId),
      profiles.map(({ screenName }) => screenName),
      profiles.map(({ name }) => name),
      profiles.map(({ createdAt }) => createdAt),
      profiles.map(({ screenName }) => nameKey(screenName)),
    ],
  });
  const idsOf = (isNew: boolean) => new Set(rows.filter((row) => row.is_new === isNew).map((row) => row.user_id));
  return { added: idsOf(true), existing: idsOf(false) };
}

/** Returns whether the user had no profile. */
async function insert(db: Db, { userId, screenName, name, createdAt }: NewProfile): Promise<boolean> {
  await takeName(db, nameKey(screenName), userId);
  const { rowCount } = await db.query({
    name: "insert-profile",
    text: `insert into social.profile (user_id, screen_name, name, created_at, search_rules)
           values ($1, $2, $3, $4, ${searchRules}) on conflict do nothing`,
    values: [userId, screenName, name, createdAt],
  });
  return rowCount === 1;
}

/**
 * Gives a name, by its key, to a user; a user who had it loses it. On a cluster names lie on every server, and Citus lets only
 * one transaction at a time run a statement there that may update a row. So a free name, as nearly all are, is only inserted:
 * such inserts run side by side.
 * @throws DatabaseError with a violated unique key when another transaction has just taken the name: trying again helps
 */
async function takeName(db: Db, nameKey: string, userId: bigint): Promise<void> {
  const holder = (await listNameHolders(db, [nameKey])).get(nameKey);
  if (holder === undefined) await insertName(db, nameKey, userId);
  // The holder may have lost the name since it was looked up: an import renames its users, too.
  else if (holder !== userId && !(await moveName(db, nameKey, userId))) await insertName(db, nameKey, userId);
}

async function insertName(db: Db, nameKey: string, userId: bigint): Promise<void> {
  await db.query({
    name: "insert-name",
    text: `insert into social.screen_name (name_key, user_id) values ($1, $2)`,
    values: [nameKey, userId],
  });
}

/** Returns whether a user had the name. */
async function moveName(db: Db, nameKey: string, userId: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "move-name",
    text: `update social.screen_name set user_id = $2 where name_key = $1`,
    values: [nameKey, userId],
  });
  return rowCount === 1;
}

/**
 * Runs work that adds profiles, with those of the user ids that may get one: they are not deleted, and cannot be deleted until the
 * transaction ends. There may be no row to lock, so a row in removed_profile reserves each id meanwhile, and a deletion waits for
 * it. Every statement that adds a profile runs here, before any other lock.
 */
export async function withReservedIds<T>(
  db: Db,
  userIds: readonly bigint[],
  add: (reserved: ReadonlySet<bigint>) => Promise<T>,
): Promise<T> {
  const reserved = await reserveIds(db, userIds);
  const result = await add(new Set(reserved));
  await releaseIds(db, reserved);
  return result;
}

/** In ascending order of id, so that no two transactions wait for each other. */
async function reserveIds(db: Db, userIds: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await db.query<{ user_id: bigint }>({
    name: "reserve-ids",
    text: `insert into social.removed_profile (user_id, removed_at)
           select user_id, 'infinity' from unnest($1::bigint[]) as wanted (user_id) order by user_id
           on conflict do nothing returning user_id`,
    values: [userIds],
  });
  return rows.map((row) => row.user_id);
}

async function releaseIds(db: Db, userIds: readonly bigint[]): Promise<void> {
  await db.query({
    name: "release-ids",
    text: `delete from social.removed_profile where user_id = any ($1::bigint[]) and removed_at = 'infinity'`,
    values: [userIds],
  });
}
