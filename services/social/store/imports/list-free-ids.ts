import type { Db } from "../../../platform/postgres/pool.ts";
import type { FreeIds } from "../../domain/free-ids.ts";

/**
 * Where there is room for `room` more statuses of an author from `first` on: behind the last one within a millisecond (4,096
 * ids), or else within two, four, and so on, up to the largest id. An index finds the last one of a span, so it
 * does not matter how many statuses there are. A second has 4,096,000 ids for each author; what is more goes on in the
 * seconds behind it.
 */
export async function listFreeIds(
  db: Db,
  wanted: readonly { authorId: bigint; first: bigint }[],
  room: number,
): Promise<FreeIds[]> {
  const { rows } = await db.query<FreeIds>({
    name: "list-free-ids",
    // The spans are tried in their order, each only if the one before has no room. Not "exists": Postgres may answer that
    // for many rows at once by reading the whole table.
    text: `select author as "authorId", first, start,
             coalesce((select false from social.status where author_id = author and id = first), true) as "isFirstFree"
           from (select distinct * from unnest($1::bigint[], $2::bigint[]) as given (author, first)) as wanted, lateral (
             select start
             from (select exponent from generate_series(0, 41) as exponent order by exponent) as span, lateral (
               select least(((first >> 12) + (1::bigint << exponent)) << 12, 1::bigint << 53) as stop
             ) as ending, lateral (
               select coalesce((
                 select id + 1 from social.status where author_id = author and id >= first and id < stop
                 order by id desc limit 1), first) as start
               offset 0
             ) as beginning
             where stop - start >= $3
             limit 1
           ) as place`,
    values: [wanted.map(({ authorId }) => authorId), wanted.map(({ first }) => first), room],
  });
  return rows;
}
