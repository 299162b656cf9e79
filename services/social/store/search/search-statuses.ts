import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import { type AuthoredRow, authoredColumns, keyedStatuses } from "../rows.ts";

/** A list of statuses, newest first, that has everything a search can find: those with a word, or those of an author. */
export type SearchedList = { word: string } | { authorId: bigint };

/** The newest statuses of a list before a position. Those of an author have reposts among them. */
export async function listSearched(db: Db, list: SearchedList, before: StatusKey, limit: number): Promise<StatusKey[]> {
  const place = [before.id, before.authorId, limit];
  const { rows } = await db.query<StatusKey>(
    "word" in list
      ? { name: "list-worded", text: listWorded, values: [list.word, ...place] }
      : { name: "list-authored", text: listAuthored, values: [list.authorId, ...place] },
  );
  return rows;
}

const listWorded = `select id, author_id as "authorId" from ${wordedBefore("$1", "$2", "$3")} limit $4`;
const listAuthored = `select id, author_id as "authorId" from ${authoredBefore("$1", "$2", "$3")} limit $4`;

function wordedBefore(word: string, id: string, authorId: string): string {
  return `social.status_word where word = ${word} and (id, author_id) < (${id}, ${authorId}) order by id desc, author_id desc`;
}

function authoredBefore(author: string, id: string, authorId: string): string {
  return `social.status where author_id = ${author} and id <= ${id} and (id, author_id) < (${id}, ${authorId}) order by id desc`;
}

/**
 * Of several lists the one that has the fewest statuses before a position, as far as the newest 200 of each can tell: one that ends
 * before them, else one whose 200 go back the furthest.
 * @param words at least one, at most four
 */
export async function chooseList(
  db: Db,
  words: readonly string[],
  authorId: bigint | undefined,
  before: StatusKey,
): Promise<SearchedList> {
  const lists: SearchedList[] = [...(authorId === undefined ? [] : [{ authorId }]), ...words.map((word) => ({ word }))];
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const kinds = lists.map((list, index) => {
    const rows = ("word" in list ? wordedBefore : authoredBefore)(`$${index + 3}`, "$1", "$2");
    return `(select id from ${rows} offset 200 limit 1) as end_${index}`;
  });
  const { rows } = await db.query<Record<string, bigint | null>>({
    name: `find-shortest-of-${authorId === undefined ? "" : "author-and-"}${words.length}`,
    text: `select ${kinds.join(", ")}`,
    values: [before.id, before.authorId, ...lists.map((list) => ("word" in list ? list.word : list.authorId))],
  });
  const ends = lists.map((_, index) => rows[0]?.[`end_${index}`] ?? 0n);
  const lowest = ends.reduce((least, end) => (end < least ? end : least));
  return lists[ends.indexOf(lowest)] as SearchedList;
}

/** Those of these statuses that have all these words, in no order. Looks into the lists only. Not for a cluster: the lists lie on several shards. */
export async function keepHavingAll(
  db: Db,
  keys: readonly StatusKey[],
  words: readonly string[],
): Promise<StatusKey[]> {
  const { rows } = await db.query<StatusKey>({
    name: "list-having-all",
    // Looked up one by one: without "offset 0" Postgres may read the whole list of a word.
    text: `select status_id as id, author as "authorId"
           from unnest($1::bigint[], $2::bigint[]) as wanted (author, status_id), unnest($3::text[]) as other (needed), lateral (
             select from social.status_word where word = needed and id = status_id and author_id = author offset 0
           ) as stored
           group by status_id, author having count(*) = cardinality($3::text[])`,
    values: [keys.map(({ authorId }) => authorId), keys.map(({ id }) => id), words],
  });
  return rows;
}

/** Those of these statuses that have all these words and that everybody may read, without reposts, in no order. */
export async function listFound(
  db: Db,
  isCluster: boolean,
  keys: readonly StatusKey[],
  words: readonly string[],
): Promise<AuthoredRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<AuthoredRow>({
    name: isCluster ? "list-found-of-cluster" : "list-found",
    text: `select ${authoredColumns}
           from ${keyedStatuses(isCluster)}
           where status.repost_of_id is null and (status.words @> $3::text[] or cardinality($3::text[]) = 0)
             and not profile.protected and not profile.suspended`,
    values: [keys.map(({ authorId }) => authorId), keys.map(({ id }) => id), words],
  });
  return rows;
}
