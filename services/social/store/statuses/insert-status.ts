import type { Db } from "../../../platform/postgres/pool.ts";
import { searchRules } from "../../../platform/rules/search-rules.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import { type ProfileRow, profileColumns, type StatusRow, type StoredEntities, statusColumns } from "../rows.ts";
import { insertWords } from "../search/status-words.ts";
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
