import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import { type AuthoredRow, authoredColumns } from "../rows.ts";

/** The statuses of these keys that exist and are not withheld, with their authors, in no order. */
export async function listStatuses(db: Db, keys: readonly StatusKey[]): Promise<AuthoredRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<AuthoredRow>({
    name: "list-statuses",
    // The authors are also given as a list, so that a cluster asks their shards only.
    text: `select ${authoredColumns}
           from unnest($1::bigint[], $2::bigint[]) as wanted (author, status_id)
           join social.status on status.author_id = author and status.id = status_id
           join social.profile on profile.user_id = status.author_id
           where not withheld and status.author_id = any ($1::bigint[]) and profile.user_id = any ($1::bigint[])`,
    values: [keys.map(({ authorId }) => authorId), keys.map(({ id }) => id)],
  });
  return rows;
}
