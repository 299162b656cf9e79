import type { Db } from "../../../platform/postgres/pool.ts";
import { type ProfileRow, profileColumns, type StatusRow, type StoredEntities, statusColumns } from "../rows.ts";
import type { StatusKey } from "./find-status.ts";

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
}

/**
 * Appends a status to its author's timeline. Undefined when there is no such author, or when the author's profile does not allow
 * the place. One statement: under the lock of the author's row the id is larger than every id before it, so that ids commit in
 * order and a `sinceId` poll misses nothing (design §4); the counter and the newest status change in the same statement.
 */
export async function insertStatus(db: Db, status: NewStatus): Promise<(ProfileRow & StatusRow) | undefined> {
  const { rows } = await db.query<ProfileRow & StatusRow>({
    name: "insert-status",
    text: `with profile as (
             update social.profile set
               ${advanced},
               viewer_version = viewer_version + ($12::bigint is not null)::int
             from (select social.next_id(clock_timestamp()) as id) as minted
             where user_id = $1 and (geo_enabled or $7::float8 is null)
             returning social.profile.*
           ), status as (
             insert into social.status
               (author_id, id, text, source, created_at, in_reply_to_status_id, in_reply_to_user_id,
                in_reply_to_screen_name, latitude, longitude, entities, truncated, repost_of_author_id, repost_of_id, lang)
             select user_id, last_status_id, $2, $3, clock_timestamp(), $4, $5, $6, $7, $8, $9, $10, $11, $12,
                    case when $12::bigint is null then coalesce($13, lang) else $13 end
             from profile
             returning *
           )
           select ${profileColumns}, ${statusColumns} from profile, status`,
    values: [
      status.authorId,
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
      status.lang,
    ],
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
