import type { Db } from "../../../platform/postgres/pool.ts";
import { searchRules } from "../../../platform/rules/search-rules.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import type { WordedStatus } from "./status-words.ts";

/** Up to `limit` users after one, by id. */
export async function listUserIds(db: Db, after: bigint, limit: number): Promise<bigint[]> {
  const { rows } = await db.query<{ user_id: bigint }>({
    name: "list-user-ids",
    text: `select user_id from social.profile where user_id > $1 order by user_id limit $2`,
    values: [after, limit],
  });
  return rows.map((row) => row.user_id);
}

/** Those of these users whose name prefixes were made by other rules, or never. */
export async function listOldNames(db: Db, userIds: readonly bigint[]) {
  const { rows } = await db.query<{ userId: bigint; screenName: string; name: string }>({
    name: "list-old-names",
    text: `select user_id as "userId", screen_name as "screenName", name from social.profile
           where user_id = any ($1::bigint[]) and search_rules is distinct from ${searchRules}`,
    values: [userIds],
  });
  return rows;
}

/** Notes that the name prefixes of these users are made by the present rules. */
export async function noteNames(db: Db, userIds: readonly bigint[]): Promise<void> {
  await db.query({
    name: "note-names",
    text: `update social.profile set search_rules = ${searchRules} where user_id = any ($1::bigint[])`,
    values: [userIds],
  });
}

const isOld = `repost_of_id is null and search_rules is distinct from ${searchRules}`;

/** Up to `limit` statuses of these authors after one, by author and id, whose words were made by other rules, or never. */
export async function listOldStatuses(
  db: Db,
  authorIds: readonly bigint[],
  after: StatusKey,
  limit: number,
): Promise<StatusKey[]> {
  const { rows } = await db.query<StatusKey>({
    name: "list-old-statuses",
    text: `select author_id as "authorId", id from social.status
           where author_id = any ($1::bigint[]) and (author_id, id) > ($2, $3) and ${isOld} order by author_id, id limit $4`,
    values: [authorIds, after.authorId, after.id, limit],
  });
  return rows;
}

/** Those of these statuses that are still such, with their texts and the words that they have. */
export async function listOldTexts(db: Db, keys: readonly StatusKey[]) {
  const { rows } = await db.query<StatusKey & { text: string; words: string[] | null }>({
    name: "list-old-texts",
    text: `select author_id as "authorId", id, text, words
           from social.status join unnest($1::bigint[], $2::bigint[]) as wanted (author_id, id) using (author_id, id)
           where author_id = any ($1::bigint[]) and ${isOld}`,
    values: [keys.map(({ authorId }) => authorId), keys.map(({ id }) => id)],
  });
  return rows;
}

/** Sets the words of statuses, whose authors' rows are locked. */
export async function setWords(db: Db, statuses: readonly WordedStatus[]): Promise<void> {
  const authors = statuses.map(({ authorId }) => authorId);
  await db.query({
    name: "set-words",
    // No word has a space. A cluster takes no cast to an array here, which depends on settings.
    text: `update social.status as stored set words = string_to_array(given.words, ' '), search_rules = ${searchRules}
           from unnest($1::bigint[], $2::bigint[], $3::text[]) as given (author, status_id, words)
           where stored.author_id = author and stored.id = status_id and stored.author_id = any ($1::bigint[])`,
    values: [authors, statuses.map(({ id }) => id), statuses.map(({ words }) => words.join(" "))],
  });
}

/** Notes that all rows are made by the present rules. */
export async function noteRules(db: Db): Promise<void> {
  await db.query({
    name: "note-rules",
    text: `update social.search_state set rules = ${searchRules} where rules < ${searchRules}`,
  });
}
