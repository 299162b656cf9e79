import type { Db } from "../../platform/postgres/pool.ts";
import type { StatusKey } from "./find-status.ts";
import { type ProfileRow, profileColumns, type StatusRow, type StoredEntities, statusColumns } from "./rows.ts";

export interface NewStatus {
  authorId: bigint;
  /** What published it; a repost has none, it is known by what it repeats. */
  request: { id: string; digest: Buffer } | undefined;
  repostOf: StatusKey | undefined;
  text: string;
  source: string;
  truncated: boolean;
  inReplyTo: (StatusKey & { screenName: string }) | undefined;
  point: { latitude: number; longitude: number } | undefined;
  entities: StoredEntities;
}

/** The name of the unique key that a repeated request violates. */
export const statusRequestKey = "status_request_key";

/**
 * Appends a status to its author's timeline, or returns undefined when there is no such author, or the
 * author's profile does not allow the place. One statement: under the lock on the author's row the id becomes larger
 * than every id before it, so that ids commit in order and a `sinceId` poll misses nothing (design §4); the counter and
 * the newest status move in the same step.
 * @throws a violation of `statusRequestKey` when the request was stored already; then nothing has changed
 */
export async function insertStatus(db: Db, status: NewStatus): Promise<(ProfileRow & StatusRow) | undefined> {
  const { rows } = await db.query<ProfileRow & StatusRow>({
    name: "insert-status",
    text: `with profile as (
             update social.profile set
               statuses_count = least(statuses_count, 2147483646) + 1,
               id_watermark = greatest(minted.id, id_watermark + 1),
               last_status_id = greatest(minted.id, id_watermark + 1),
               content_version = content_version + 1
             from (select social.next_id(clock_timestamp()) as id) as minted
             where user_id = $1 and (geo_enabled or $7::float8 is null)
             returning social.profile.*
           ), status as (
             insert into social.status
               (author_id, id, text, source, created_at, in_reply_to_status_id, in_reply_to_user_id,
                in_reply_to_screen_name, latitude, longitude, entities, request_id, request_digest, truncated,
                repost_of_author_id, repost_of_id)
             select user_id, last_status_id, $2, $3, clock_timestamp(), $4, $5, $6, $7, $8, $9, $10, $11, $12,
                    $13, $14 from profile
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
      status.request?.id ?? null,
      status.request?.digest ?? null,
      status.truncated,
      status.repostOf?.authorId ?? null,
      status.repostOf?.id ?? null,
    ],
  });
  return rows[0];
}
