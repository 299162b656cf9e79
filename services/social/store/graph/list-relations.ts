import type { Db } from "../../../platform/postgres/pool.ts";
import type { RelationList, RelationPage, RelationPosition } from "../../domain/cursors.ts";

/** One page of a list, the newest relation first, and one more row where there are more. */
export async function listPositions(
  db: Db,
  { name, userId }: RelationList,
  { take, after }: RelationPage,
): Promise<RelationPosition[]> {
  const { statement, table, own, other } = sources[name];
  // Whole microseconds, as in Postgres: a Date would lose three digits, and the position with them.
  const { rows } = await db.query<RelationPosition>({
    name: statement,
    text: `select (extract(epoch from created_at) * 1000000)::bigint as at, ${other} as "userId"
           from social.${table}
           where ${own} = $1
             and (created_at, ${other}) < (
               coalesce(timestamptz 'epoch' + $2::bigint * interval '1 microsecond', 'infinity'), coalesce($3::bigint, 0))
           order by created_at desc, ${other} desc limit $4`,
    values: [userId, after?.at ?? null, after?.userId ?? null, take + 1],
  });
  return rows;
}

/** The table of each list, its column of the user whose list it is, and that of the users in it. */
const sources = {
  followers: { statement: "list-followers", table: "follow", own: "user_id", other: "follower_id" },
  friends: { statement: "list-friends", table: "follow", own: "follower_id", other: "user_id" },
  requests: { statement: "list-askers", table: "follow_request", own: "user_id", other: "follower_id" },
  blocks: { statement: "list-blocked", table: "block", own: "blocker_id", other: "user_id" },
  mutes: { statement: "list-muted", table: "mute", own: "muter_id", other: "user_id" },
} satisfies Record<RelationList["name"], object>;
