import type { Db } from "../../../platform/postgres/pool.ts";
import { searchRules } from "../../../platform/rules/search-rules.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import { type ProfileRow, profileColumns, type StatusRow, type StoredEntities, statusColumns } from "../rows.ts";
import { arrayOfWords, insertWords } from "../search/status-words.ts";
import { insertMentions } from "./mentions.ts";

export interface NewStatus {
  authorId: bigint;
  repostOf: StatusKey | undefined;
  text: string;
  source: string;
  /** A BCP 47 tag. When null, a repost has none, and another status has that of its author's profile. */
  lang: string | null;
  truncated: boolean;
  inReplyTo: (StatusKey & { screenName: string }) | undefined;
  point: { latitude: number; longitude: number } | undefined;
  entities: StoredEntities;
  /** By which searches find it; undefined for a repost. */
  words: readonly string[] | undefined;
}

/**
 * Appends a status to its author's timeline. Undefined when there is no such author, or when the author's profile does not allow
 * the place. Under the lock of the author's row the id is larger than every id before it, so that ids commit in order and a `sinceId`
 * poll misses nothing (design §4).
 */
export async function insertStatus(db: Db, status: NewStatus): Promise<(ProfileRow & StatusRow) | undefined> {
  const author = await advanceAuthor(db, status);
  if (author === undefined) return undefined;
  const { rows } = await db.query<StatusRow>({
    name: "insert-status",
    text: `insert into social.status
             (author_id, id, text, source, created_at, in_reply_to_status_id, in_reply_to_user_id,
              in_reply_to_screen_name, latitude, longitude, entities, truncated, repost_of_author_id, repost_of_id, lang, words, search_rules)
           values ($1, $2, $3, $4, clock_timestamp(), $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, ${searchRules})
           returning ${statusColumns}`,
    values: [
      status.authorId,
      author.last_status_id,
      status.text,
      status.source,
      status.inReplyTo?.id ?? null,
      status.inReplyTo?.authorId ?? null,
      status.inReplyTo?.screenName ?? null,
      status.point?.latitude ?? null,
      status.point?.longitude ?? null,
      JSON.stringify(status.entities),
      status.truncated,
      status.repostOf?.authorId ?? null,
      status.repostOf?.id ?? null,
      status.lang ?? (status.repostOf ? null : author.lang),
      status.words ?? null,
    ],
  });
  if (status.repostOf === undefined) {
    await insertMentions(db, [{ authorId: status.authorId, id: author.last_status_id, entities: status.entities }]);
  }
  const { authorId, words = [] } = status;
  await insertWords(db, [{ authorId, id: author.last_status_id, words }]);
  return Object.assign(author, rows[0] as StatusRow);
}

/** By a statement of its own: if the insertion read the author's row, a cluster would send that row to every server. */
async function advanceAuthor(db: Db, { authorId, point, repostOf }: NewStatus) {
  const { rows } = await db.query<ProfileRow & { last_status_id: bigint }>({
    name: "advance-author",
    text: `update social.profile set
             ${advanced},
             viewer_version = viewer_version + $3::int
           from (select social.next_id(clock_timestamp()) as id) as minted
           where user_id = $1 and (geo_enabled or not $2)
           returning ${profileColumns}, profile.last_status_id`,
    values: [authorId, point !== undefined, Number(repostOf !== undefined)],
  });
  return rows[0];
}

/** The changes of one more status in its author's row, where `minted.id` is an id of this moment. */
export const advanced = `
  statuses_count = least(statuses_count, 2147483646) + 1,
  id_watermark = greatest(minted.id, id_watermark + 1),
  last_status_id = greatest(minted.id, id_watermark + 1),
  last_unrestricted_id = greatest(minted.id, id_watermark + 1),
  content_version = content_version + 1`;

/** A status that is neither a reply nor a repost. */
export type PlainStatus = Omit<NewStatus, "repostOf" | "inReplyTo" | "truncated">;

/**
 * Appends statuses to the timelines of different authors, as insertStatus does for one, and returns them in no order. Leaves
 * out statuses whose author's row is locked by another write, is missing or suspended, and those with a place that the author's
 * profile does not allow. Waits for no lock. Not for a cluster: there the authors are on several shards.
 */
export async function insertStatuses(db: Db, statuses: readonly PlainStatus[]): Promise<(ProfileRow & StatusRow)[]> {
  const { rows } = await db.query<ProfileRow & StatusRow>({
    name: "insert-statuses",
    text: `with given as (
             select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::float8[], $7::jsonb[], $8::text[])
               as given (author_id, text, source, lang, latitude, longitude, entities, words)
           ), minted as materialized (
             select user_id, social.next_id(clock_timestamp()) as id
             from social.profile where user_id = any ($1::bigint[]) and not suspended for update skip locked
           ), profile as (
             update social.profile set ${advanced}
             from minted join given on given.author_id = minted.user_id
             where profile.user_id = minted.user_id and (geo_enabled or latitude is null)
             returning profile.*
           ), status as (
             insert into social.status
               (author_id, id, text, source, created_at, latitude, longitude, entities, lang, words, search_rules)
             select user_id, last_status_id, given.text, source, clock_timestamp(), latitude, longitude, entities,
                    coalesce(given.lang, profile.lang), given.words::text[], ${searchRules}
             from profile join given on given.author_id = user_id
             returning *
           ), word as (
             insert into social.status_word (word, id, author_id) select unnest(words), id, author_id from status
           )
           select ${profileColumns}, ${statusColumns} from profile join status on status.author_id = profile.user_id`,
    values: [
      statuses.map(({ authorId }) => authorId),
      statuses.map(({ text }) => text),
      statuses.map(({ source }) => source),
      statuses.map(({ lang }) => lang),
      statuses.map(({ point }) => point?.latitude ?? null),
      statuses.map(({ point }) => point?.longitude ?? null),
      statuses.map(({ entities }) => JSON.stringify(entities)),
      statuses.map(({ words }) => arrayOfWords(words)),
    ],
  });
  await insertMentions(
    db,
    rows.map(({ user_id: authorId, status_id: id, entities }) => ({ authorId, id, entities })),
  );
  return rows;
}
