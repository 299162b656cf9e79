import type { Db } from "../../../platform/postgres/pool.ts";
import type { PublicKey } from "../../domain/public-cursor.ts";
import { type ProfileRow, profileColumns, type StatusRow, statusColumns } from "../rows.ts";

/** A status that is neither a reply nor a repost, with its author. */
export type PublicRow = PublicKey & ProfileRow & StatusRow & { is_public: boolean };

/**
 * The newest statuses of all authors before a position, or the oldest ones from an id on. Those that not everybody may read are among
 * them, without `is_public`: a statement that skipped them might have to look at any number of rows.
 * @param range `before` is exclusive, `from` is inclusive
 */
export async function listPublic(
  db: Db,
  range: { before: PublicKey } | { from: bigint },
  limit: number,
): Promise<PublicRow[]> {
  const { rows } = await db.query<PublicRow>(
    "before" in range
      ? { name: "list-public-before", text: before, values: [range.before.id, range.before.authorId, limit] }
      : { name: "list-public-from", text: from, values: [range.from, limit] },
  );
  return rows;
}

// The condition of the index status_public.
const plain = `status.repost_of_id is null and status.in_reply_to_status_id is null
            and status.in_reply_to_user_id is null and status.in_reply_to_screen_name is null`;

function select(range: string, order: string, limit: string): string {
  return `select status.id, status.author_id as "authorId", ${statusColumns}, ${profileColumns},
            not profile.protected and not profile.suspended as is_public
          from social.status join social.profile on profile.user_id = status.author_id
          where ${plain} and ${range}
          order by status.id ${order}, status.author_id ${order} limit ${limit}`;
}

const before = select("(status.id, status.author_id) < ($1, $2)", "desc", "$3");
const from = select("status.id >= $1", "asc", "$2");
