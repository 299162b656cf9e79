import type { Db } from "../../platform/postgres/pool.ts";
import { type ProfileRow, profileColumns, type StatusRow, statusColumns } from "./rows.ts";

/** What a request published before, with the digest of that request; undefined when it published nothing. */
export async function loadPublished(db: Db, authorId: bigint, requestId: string) {
  const { rows } = await db.query<ProfileRow & StatusRow & { request_digest: Buffer }>({
    name: "load-published",
    text: `select ${profileColumns}, ${statusColumns}, status.request_digest
           from social.status join social.profile on profile.user_id = status.author_id
           where status.author_id = $1 and status.request_id = $2`,
    values: [authorId, requestId],
  });
  return rows[0];
}
