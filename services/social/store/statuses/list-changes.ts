import type { Db } from "../../../platform/postgres/pool.ts";
import { timeOfId } from "../../../platform/rules/ids.ts";
import type { StatusKey } from "../../domain/status-key.ts";

/** Up to `limit` of the newest statuses from an id on, the newest first. By an index alone; on a cluster every shard is asked. */
export async function listPublished(db: Db, from: bigint, limit: number): Promise<StatusKey[]> {
  const { rows } = await db.query<StatusKey>({
    name: "list-published",
    text: `select author_id as "authorId", id from social.status where id >= $1 order by id desc limit $2`,
    values: [from, limit],
  });
  return rows;
}

/** Something of a user was deleted or hidden. */
export interface Removal {
  userId: bigint;
  /** When that statement began; of several the one that ended last. Microseconds since 1970, as digits. */
  at: string;
}

/** Up to `limit` removals from the moment of an id on. Those of transactions that were older than the water are complete. */
export async function listRemovals(db: Db, from: bigint, limit: number): Promise<Removal[]> {
  const { rows } = await db.query<Removal>({
    name: "list-removals",
    text: `select ${columns} from social.profile where ${isSince("removed_at", "$1")} limit $2`,
    values: [from, limit],
  });
  return rows;
}

/** The same of these users only, all of them. */
export async function listRemovalsOf(db: Db, userIds: readonly bigint[], from: bigint): Promise<Removal[]> {
  const { rows } = await db.query<Removal>({
    name: "list-removals-of",
    text: `select ${columns} from social.profile where ${isSince("removed_at", "$2")} and user_id = any ($1::bigint[])`,
    values: [userIds, from],
  });
  return rows;
}

/** Whether a user has ceased to follow somebody, or muted somebody, from the moment of an id on. */
export async function hasLeft(db: Db, userId: bigint, from: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "has-left",
    text: `select from social.profile where user_id = $1 and ${isSince("left_at", "$2")}`,
    values: [userId, from],
  });
  return rowCount !== 0;
}

/** Whether a removal is one of those from the moment of an id on. */
export function isFrom({ at }: Removal, from: bigint): boolean {
  return BigInt(at) >= BigInt(timeOfId(from)) * 1_000n;
}

/** The time of a removal as digits, of a relation named `profile`. */
export const removedAt = "(extract(epoch from profile.removed_at) * 1000000)::bigint::text";

const columns = `user_id as "userId", ${removedAt} as at`;

/** The milliseconds of an id are those since 2006 (design §4). */
function isSince(column: string, id: string): string {
  return `${column} >= timestamptz '2006-01-01 00:00:00+00' + (${id}::bigint >> 12) * interval '1 millisecond'`;
}
