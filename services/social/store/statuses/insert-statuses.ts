import type { Db } from "../../../platform/postgres/pool.ts";
import { searchRules } from "../../../platform/rules/search-rules.ts";
import { type ProfileRow, profileColumns, type StatusRow, statusColumns } from "../rows.ts";
import { arrayOfWords } from "../search/status-words.ts";
import { advanced, type NewStatus } from "./insert-status.ts";
import { insertMentions } from "./mentions.ts";

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
