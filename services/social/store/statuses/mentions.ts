import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import type { TimelineRange } from "../../domain/timeline-cursor.ts";

/** A status, and whom it mentions. */
export interface MentioningStatus extends StatusKey {
  entities: { userMentions: readonly { id: string }[] };
}

/** Stores who is mentioned by statuses of which none is a repost, each user once. In the transaction that stores the statuses. */
export async function insertMentions(db: Db, statuses: readonly MentioningStatus[]): Promise<void> {
  const mentions = mentionsOf(statuses);
  if (mentions.length === 0) return;
  await db.query({
    name: "insert-mentions",
    text: `insert into social.mention (user_id, status_id, author_id)
           select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]) on conflict do nothing`,
    values: [
      mentions.map(({ userId }) => userId),
      mentions.map(({ id }) => id),
      mentions.map(({ authorId }) => authorId),
    ],
  });
}

/** Deletes what `insertMentions` stored for statuses. In the transaction that deletes or changes the statuses. */
export async function deleteMentions(db: Db, statuses: readonly MentioningStatus[]): Promise<void> {
  const mentions = mentionsOf(statuses);
  if (mentions.length === 0) return;
  await db.query({
    name: "delete-mentions",
    text: `delete from social.mention using unnest($1::bigint[], $2::bigint[], $3::bigint[]) as gone (mentioned, id, author)
           where user_id = mentioned and status_id = id and author_id = author`,
    values: [
      mentions.map(({ userId }) => userId),
      mentions.map(({ id }) => id),
      mentions.map(({ authorId }) => authorId),
    ],
  });
}

function mentionsOf(statuses: readonly MentioningStatus[]) {
  return statuses.flatMap(({ authorId, id, entities: { userMentions } }) => {
    const userIds = new Set(userMentions.map((mention) => mention.id));
    // What an import does not know.
    userIds.delete("0");
    return [...userIds].map((userId) => ({ userId, id, authorId }));
  });
}

/**
 * The statuses that mention a user: the newest before a position, or the oldest from an id on. An import may have changed them since.
 */
export async function listMentions(db: Db, userId: bigint, range: TimelineRange, limit: number): Promise<StatusKey[]> {
  const { rows } = await db.query<StatusKey>(
    "before" in range
      ? {
          name: "list-mentions-before",
          text: `select status_id as id, author_id as "authorId" from social.mention
                 where user_id = $1 and (status_id, author_id) < ($2, $3)
                 order by status_id desc, author_id desc limit $4`,
          values: [userId, range.before.id, range.before.authorId, limit],
        }
      : {
          name: "list-mentions-from",
          text: `select status_id as id, author_id as "authorId" from social.mention
                 where user_id = $1 and status_id >= $2 order by status_id, author_id limit $3`,
          values: [userId, range.from, limit],
        },
  );
  return rows;
}
