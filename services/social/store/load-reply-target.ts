import type { Db } from "../../platform/postgres/pool.ts";

export interface ReplyTarget {
  authorId: bigint;
  id: bigint;
  screenName: string;
}

/** The status that a reply answers, with its author's name; undefined when it does not stand. */
export async function loadReplyTarget(db: Db, authorId: bigint, id: bigint): Promise<ReplyTarget | undefined> {
  const { rows } = await db.query<ReplyTarget>({
    name: "load-reply-target",
    text: `select status.author_id as "authorId", status.id, profile.screen_name as "screenName"
           from social.status join social.profile on profile.user_id = status.author_id
           where status.author_id = $1 and status.id = $2`,
    values: [authorId, id],
  });
  return rows[0];
}
