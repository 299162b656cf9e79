import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";

/** A status and its words, each once. */
export interface WordedStatus extends StatusKey {
  words: readonly string[];
}

/** Adds the words of statuses that have none. */
export async function insertWords(db: Db, statuses: readonly WordedStatus[]): Promise<void> {
  const rows = rowsOf(statuses);
  if (rows.length === 0) return;
  await db.query({
    name: "insert-words",
    text: `insert into social.status_word (word, id, author_id) select * from unnest($1::text[], $2::bigint[], $3::bigint[])`,
    values: columnsOf(rows),
  });
}

/** Deletes the words of statuses. */
export async function deleteWords(db: Db, statuses: readonly WordedStatus[]): Promise<void> {
  const rows = rowsOf(statuses);
  if (rows.length === 0) return;
  await db.query({
    name: "delete-words",
    // The authors also as a list, so that a cluster asks their shards only.
    text: `delete from social.status_word as stored using unnest($1::text[], $2::bigint[], $3::bigint[]) as gone (word, id, author)
           where stored.word = gone.word and stored.id = gone.id and stored.author_id = gone.author
             and stored.author_id = any ($4::bigint[])`,
    values: [...columnsOf(rows), [...new Set(statuses.map(({ authorId }) => authorId))]],
  });
}

/** The words of these statuses as they are stored; those without words are left out. */
export async function listWords(db: Db, keys: readonly StatusKey[]): Promise<WordedStatus[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<WordedStatus>({
    name: "list-words",
    text: `select author_id as "authorId", id, words
           from social.status join unnest($1::bigint[], $2::bigint[]) as wanted (author_id, id) using (author_id, id)
           where author_id = any ($1::bigint[]) and words is not null`,
    values: [keys.map(({ authorId }) => authorId), keys.map(({ id }) => id)],
  });
  return rows;
}

/** Words as the text of an array; none for a status without any. */
export function arrayOfWords(words: readonly string[] | undefined): string | null {
  // Quoted, since `null` is a word like any other. Words hold no quotes.
  return words === undefined ? null : `{${words.map((word) => `"${word}"`).join(",")}}`;
}

type WordRow = readonly [word: string, id: bigint, authorId: bigint];

/** In the order of the index, so that the words that several statuses have are added in one place. */
function rowsOf(statuses: readonly WordedStatus[]): WordRow[] {
  const rows = statuses.flatMap(({ words, id, authorId }) => words.map((word): WordRow => [word, id, authorId]));
  return rows.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
}

function columnsOf(rows: readonly WordRow[]) {
  return [rows.map(([word]) => word), rows.map(([, id]) => id), rows.map(([, , authorId]) => authorId)];
}
