import type { Db } from "../../../platform/postgres/pool.ts";
import { searchRules } from "../../../platform/rules/search-rules.ts";
import type { JobKey } from "../../domain/import-job.ts";
import type { ContentColumns } from "../../domain/imported-content.ts";
import type { FreeIds } from "../../domain/imported-id.ts";
import type { AuthorChange, Original, PlannedStatus, StoredStatus } from "../../domain/plan-import.ts";
import { deleteWords, insertWords, listWords } from "../search/status-words.ts";

/** A status to store, and how the state of its original's author marks it if it is a repost. */
export interface MarkedStatus extends PlannedStatus {
  withheld: boolean;
  restricted: boolean;
  /** By which searches find it; undefined for a repost. */
  words: readonly string[] | undefined;
}

/** The user ids of those who came from an origin, by their ids there. */
export async function listUsersOfOrigin(db: Db, origin: string, originIds: readonly string[]) {
  const { rows } = await db.query<{ origin_id: string; user_id: bigint }>({
    name: "list-users-of-origin",
    text: `select origin_id, user_id from social.profile where origin = $1 and origin_id = any ($2::text[])`,
    values: [origin, originIds],
  });
  return new Map(rows.map((row) => [row.origin_id, row.user_id]));
}

/** Which of these statuses of an origin are stored, by "author id:id at the origin". */
export async function listStoredStatuses(
  db: Db,
  origin: string,
  pairs: readonly { authorId: bigint; originId: string }[],
): Promise<Map<string, StoredStatus>> {
  if (pairs.length === 0) return new Map();
  const { rows } = await db.query<StoredRow>({
    name: "list-stored-statuses",
    text: `select author_id || ':' || origin_id as key, id, encode(import_digest, 'hex') as digest, import_job as job,
             repost_of_id is not null as "isRepost"
           from social.statuses_of_origin($1, $2, $3)`,
    values: [origin, pairs.map((pair) => pair.authorId), pairs.map((pair) => pair.originId)],
  });
  return new Map(
    rows.map(({ key, id, digest, job, isRepost }) => [
      key,
      { id, importDigest: digest, job: job ?? undefined, isRepost },
    ]),
  );
}

interface StoredRow {
  key: string;
  id: bigint;
  digest: string;
  job: Buffer | null;
  isRepost: boolean;
}

/** The statuses by which these users repost these originals. */
export async function listReposts(
  db: Db,
  wanted: readonly { userId: bigint; original: Original }[],
): Promise<{ userId: bigint; original: Original; id: bigint }[]> {
  if (wanted.length === 0) return [];
  const { rows } = await db.query<{ user_id: bigint; author_id: bigint; original_id: bigint; id: bigint }>({
    name: "list-reposts",
    text: `select status.author_id as user_id, repost_of_author_id as author_id, repost_of_id as original_id, id
           from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as wanted (reposter, author, original)
           join social.status on status.author_id = reposter and repost_of_author_id = author and repost_of_id = original`,
    values: [
      wanted.map(({ userId }) => userId),
      wanted.map(({ original }) => original.authorId),
      wanted.map(({ original }) => original.id),
    ],
  });
  return rows.map((row) => ({
    userId: row.user_id,
    original: { authorId: row.author_id, id: row.original_id },
    id: row.id,
  }));
}

/** Which of these statuses are stored under the same id with the same text. */
export async function listStoredById(
  db: Db,
  authorId: bigint,
  wanted: readonly { id: bigint; text: string }[],
): Promise<Set<bigint>> {
  const { rows } = await db.query<{ id: bigint }>({
    name: "list-standing",
    // Each by the index: for an author with a hundred thousand statuses Postgres would read all of them without "offset 0".
    text: `select standing.id from unnest($2::bigint[], $3::text[]) as wanted (id, said), lateral (
             select id from social.status where author_id = $1 and status.id = wanted.id and text = said offset 0
           ) as standing`,
    values: [authorId, wanted.map(({ id }) => id), wanted.map(({ text }) => text)],
  });
  return new Set(rows.map((row) => row.id));
}

/** The node of this system's ids, 0 to 31 (design §4). */
export async function getIdNode(db: Db): Promise<bigint> {
  const { rows } = await db.query<{ node: number }>({ name: "get-id-node", text: `select node from social.id_node` });
  return BigInt(rows[0]?.node ?? 0);
}

/** Which of these statuses were deleted while favourites and reposts of them still exist. */
export async function listUnfinishedOf(db: Db, statuses: readonly PlannedStatus[]): Promise<{ author_id: bigint }[]> {
  if (statuses.length === 0) return [];
  const { rows } = await db.query<{ author_id: bigint }>({
    name: "list-unfinished-of",
    text: `select removed.author_id from unnest($1::bigint[], $2::bigint[]) as wanted (author, status_id)
           join social.removed_status as removed on removed.author_id = author and removed.id = status_id`,
    values: [statuses.map((status) => status.authorId), statuses.map((status) => status.id)],
  });
  return rows;
}

/**
 * Adds statuses. Their authors' rows are locked, so that no other write can take their ids.
 * @param job the job that adds them
 */
export async function insertImported(
  db: Db,
  origin: string,
  job: Buffer | undefined,
  statuses: readonly MarkedStatus[],
): Promise<void> {
  if (statuses.length === 0) return;
  const columns = [...ownColumns, ...contentColumns].join(", ");
  await db.query({
    name: "insert-imported",
    // In a "with", since Citus does not give the parameters of a bare one to the shards.
    text: `with added as (
             insert into social.status (${columns}, origin, import_job, imported_retweet_count)
             select ${columns}, $1, $2::bytea, retweet_count from json_populate_recordset(null::social.status, $3::json)
             returning 1
           )
           select count(*) from added`,
    values: [origin, job ?? null, JSON.stringify(statuses.map(rowOf))],
  });
  await insertWords(db, statuses.map(wordedStatus));
}

/** Updates what has changed at the origin since the last import. Ids stay, and so do the counts of reposts made here. */
export async function updateImported(db: Db, statuses: readonly MarkedStatus[]): Promise<void> {
  if (statuses.length === 0) return;
  const columns = [...ownColumns, ...contentColumns].filter((column) => !unchanged.has(column));
  await deleteWords(db, await listWords(db, statuses));
  await db.query({
    name: "update-imported",
    text: `update social.status as stored set
             ${columns.map((column) => `${column} = item.${column}`).join(", ")},
             retweet_count = least(greatest(
               stored.retweet_count::bigint + item.retweet_count - coalesce(stored.imported_retweet_count, 0), 0), 2147483647),
             imported_retweet_count = item.retweet_count
           from json_populate_recordset(null::social.status, $1::json) as item
           where stored.author_id = item.author_id and stored.id = item.id`,
    values: [JSON.stringify(statuses.map(rowOf))],
  });
  await insertWords(db, statuses.map(wordedStatus));
}

function wordedStatus({ authorId, id, words = [] }: MarkedStatus) {
  return { authorId, id, words };
}

/** A status as the JSON of its row. */
function rowOf({ authorId, id, originId, withheld, restricted, words, content: { columns, digest } }: MarkedStatus) {
  return {
    ...columns,
    author_id: `${authorId}`,
    id: `${id}`,
    origin_id: originId,
    import_digest: `\\x${digest}`,
    withheld,
    restricted,
    words,
    search_rules: searchRules,
  };
}

const ownColumns = ["author_id", "id", "origin_id", "import_digest", "withheld", "restricted", "words", "search_rules"];
const unchanged: ReadonlySet<string> = new Set(["author_id", "id", "origin_id", "retweet_count"]);

const contentColumns: string[] = Object.keys({
  created_at: 1,
  entities: 1,
  in_reply_to_screen_name: 1,
  in_reply_to_status_id: 1,
  in_reply_to_user_id: 1,
  latitude: 1,
  longitude: 1,
  repost_of_author_id: 1,
  repost_of_id: 1,
  retweet_count: 1,
  source: 1,
  text: 1,
  truncated: 1,
} satisfies Record<keyof ContentColumns, 1>);

/** Sets the newest status of authors after new statuses, and gives them a new content version. */
export async function advanceAuthors(db: Db, changes: readonly AuthorChange[]): Promise<void> {
  if (changes.length === 0) return;
  await db.query({
    name: "advance-authors",
    text: `update social.profile as author set
             last_status_id = greatest(author.last_status_id, change.newest),
             last_unrestricted_id = greatest(author.last_unrestricted_id, change.newest),
             id_watermark = greatest(author.id_watermark, change.newest),
             statuses_count = least(author.statuses_count::bigint + change.counted, 2147483647),
             content_version = content_version + 1,
             viewer_version = viewer_version + change.reposts
           from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[]) as change (author_id, newest, counted, reposts)
           where author.user_id = change.author_id`,
    values: [
      changes.map(({ authorId }) => authorId),
      changes.map(({ newest }) => newest),
      changes.map(({ counted }) => counted),
      changes.map(({ reposts }) => reposts),
    ],
  });
}

/**
 * Where there is room for `room` more statuses of an author from `first` on (see migration 0014). A second has 4,096,000 ids for
 * each author; further ones lie in the following seconds.
 */
export async function listFreeIds(
  db: Db,
  wanted: readonly { authorId: bigint; first: bigint }[],
  room: number,
): Promise<FreeIds[]> {
  if (wanted.length === 0) return [];
  const { rows } = await db.query<FreeIds>({
    name: "list-free-ids",
    text: `select author as "authorId", first, start, is_first_free as "isFirstFree"
           from (select distinct * from unnest($1::bigint[], $2::bigint[]) as given (author, first)) as wanted,
             social.free_ids(author, first, $3)
           where start is not null`,
    values: [wanted.map(({ authorId }) => authorId), wanted.map(({ first }) => first), room],
  });
  return rows;
}

/** How many statuses of a job exist. */
export async function countImportedRows(db: Db, { authorId, id }: JobKey): Promise<bigint> {
  const { rows } = await db.query<{ count: bigint }>({
    name: "count-imported",
    text: `select count(*) from social.status where author_id = $1 and import_job = $2`,
    values: [authorId, id],
  });
  return rows[0]?.count ?? 0n;
}

/** At most `limit` statuses of a job, newest first. */
export async function listImported(db: Db, { authorId, id }: JobKey, limit: number): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>({
    name: "list-imported",
    text: `select id from social.status where author_id = $1 and import_job = $2 order by id desc limit $3`,
    values: [authorId, id, limit],
  });
  return rows.map((row) => row.id);
}
