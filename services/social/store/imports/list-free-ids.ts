import type { Db } from "../../../platform/postgres/pool.ts";
import type { FreeIds } from "../../domain/free-ids.ts";

/**
 * Where there is room for `room` more statuses of an author from `first` on (see migration 0014). A second has 4,096,000 ids for
 * each author; further ones lie in the following seconds.
 */
export async function listFreeIds(
  db: Db,
  wanted: readonly { authorId: bigint; first: bigint }[],
  room: number,
): Promise<FreeIds[]> {
  if (wanted.length === 0) return [];
  const { rows } = await db.query<FreeIds>({
    name: "list-free-ids",
    text: `select author as "authorId", first, start, is_first_free as "isFirstFree"
           from (select distinct * from unnest($1::bigint[], $2::bigint[]) as given (author, first)) as wanted,
             social.free_ids(author, first, $3)
           where start is not null`,
    values: [wanted.map(({ authorId }) => authorId), wanted.map(({ first }) => first), room],
  });
  return rows;
}
