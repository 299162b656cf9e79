import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";
import { searchRules } from "../../../platform/rules/search-rules.ts";
import type { ProfileToImport } from "../../domain/imported-profile.ts";
import { withReservedIds } from "../profiles/insert-profiles.ts";
import { listNameHolders } from "../profiles/name-holders.ts";
import { replacePrefixes } from "../search/name-prefixes.ts";

/**
 * Stores imported profiles under their names and returns what changed: user id → whether the profile is new. Does not change
 * profiles with the same digest, those that did not come from this origin, and deleted ones. When a profile differs, its counters
 * change by the difference at the origin, a protected profile stays protected, and what was changed here stays as it is.
 * @param prefixesOf by which searches find a user with this name
 */
export async function upsertImportedProfiles(
  db: Db,
  origin: string,
  profiles: readonly ProfileToImport[],
  prefixesOf: (name: string) => string[],
): Promise<Map<bigint, { added: boolean }>> {
  const ids = profiles.map(({ userId }) => userId);
  return withReservedIds(db, ids, async (reserved) => {
    const living = profiles.filter(({ userId }) => reserved.has(userId));
    const rows = living.length === 0 ? [] : await upsert(db, origin, living);
    await renameUsers(
      db,
      rows,
      rows.filter((row) => !row.added),
    );
    await replacePrefixes(
      db,
      rows.map(({ user_id: userId, screen_name: screenName, name }) => ({
        userId,
        screenName,
        prefixes: prefixesOf(name),
      })),
    );
    return new Map(rows.map((row) => [row.user_id, row]));
  });
}

async function upsert(db: Db, origin: string, profiles: readonly ProfileToImport[]): Promise<StoredProfile[]> {
  const ofProfile = Object.keys((profiles[0] as ProfileToImport).columns);
  const columns = [...ofProfile, "user_id", "origin_id", "import_digest"];
  const copied = ofProfile.filter((column) => column !== "protected" && !counters.includes(column));
  const items = JSON.stringify(
    profiles.map(({ userId, originId, columns, importDigest }) => ({
      ...columns,
      user_id: userId.toString(),
      origin_id: originId,
      import_digest: `\\x${importDigest.toString("hex")}`,
      imported_counts: counters.map((counter) => columns[counter]),
    })),
  );
  const { rows } = await db.query<StoredProfile>({
    name: "upsert-imported-profiles",
    // In a "with", since Citus does not give the parameters of a bare one to the shards.
    text: `with stored as (
             insert into social.profile as existing (${columns.join(", ")}, imported_counts, origin, search_rules)
             select ${columns.join(", ")}, imported_counts, $1, ${searchRules} from json_populate_recordset(null::social.profile, $2::json)
             order by user_id
             on conflict (user_id) do update set
               ${copied.map((column) => `${column} = ${unlessChanged(column, `excluded.${column}`)}`).join(", ")},
               ${counters.map(movedCounter).join(", ")},
               origin_id = excluded.origin_id,
               import_digest = excluded.import_digest,
               search_rules = excluded.search_rules,
               imported_counts = excluded.imported_counts,
               protected = ${isProtected},
               reposts_due = case when ${isProtected} <> existing.protected then existing.content_version + 1
                 else existing.reposts_due end,
               content_version = existing.content_version + 1,
               version = existing.version + 1
             where existing.origin = $1 and existing.import_digest is distinct from excluded.import_digest
             -- xmax is zero on a row that no transaction has replaced: a new one.
             returning user_id, screen_name, name, xmax = 0 as added
           )
           select user_id, screen_name, name, added from stored`,
    values: [origin, items],
  });
  return rows;
}

/** The value of a column that differs at the origin. @param imported the new one */
function unlessChanged(column: string, imported: string): string {
  return `case when '${column}' = any (existing.changed_here) then existing.${column} else ${imported} end`;
}

const isProtected = unlessChanged("protected", "existing.protected or excluded.protected");

interface StoredProfile {
  user_id: bigint;
  screen_name: string;
  name: string;
  added: boolean;
}

/** In the order of the column imported_counts. */
const counters = ["followers_count", "friends_count", "favourites_count", "statuses_count"];

function movedCounter(counter: string, index: number): string {
  const moved = `existing.${counter}::bigint + excluded.${counter} - coalesce(existing.imported_counts[${index + 1}], 0)`;
  return `${counter} = least(greatest(${moved}, 0), 2147483647)`;
}

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
async function renameUsers(db: Db, users: readonly NamedUser[], mayBeRenamed: readonly NamedUser[]): Promise<void> {
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
