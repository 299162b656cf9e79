import type { Db } from "../../../platform/postgres/pool.ts";
import type { RelationPage, RelationPosition } from "../../domain/relation-page.ts";

/** One page of the followers of a user, the newest first, and one more row where there are more. */
export function listFollowerPositions(db: Db, userId: bigint, page: RelationPage): Promise<RelationPosition[]> {
  return listPositions(db, "list-followers", "follow", "user_id", "follower_id", userId, page);
}

/** The same for the users whom a user follows. */
export function listFriendPositions(db: Db, userId: bigint, page: RelationPage): Promise<RelationPosition[]> {
  return listPositions(db, "list-friends", "follow", "follower_id", "user_id", userId, page);
}

/** The same for the users who ask to follow a user. */
export function listAskerPositions(db: Db, userId: bigint, page: RelationPage): Promise<RelationPosition[]> {
  return listPositions(db, "list-askers", "follow_request", "user_id", "follower_id", userId, page);
}

/** The same for the users whom a user has blocked. */
export function listBlockedPositions(db: Db, userId: bigint, page: RelationPage): Promise<RelationPosition[]> {
  return listPositions(db, "list-blocked", "block", "blocker_id", "user_id", userId, page);
}

/** The same for the users whom a user has muted. */
export function listMutedPositions(db: Db, userId: bigint, page: RelationPage): Promise<RelationPosition[]> {
  return listPositions(db, "list-muted", "mute", "muter_id", "user_id", userId, page);
}

type Side = "user_id" | "follower_id" | "blocker_id" | "muter_id";

async function listPositions(
  db: Db,
  name: string,
  table: "follow" | "follow_request" | "block" | "mute",
  own: Side,
  other: Side,
  userId: bigint,
  { take, after }: RelationPage,
): Promise<RelationPosition[]> {
  // Whole microseconds, as in Postgres: a Date would lose three digits, and the position with them.
  const { rows } = await db.query<RelationPosition>({
    name,
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
