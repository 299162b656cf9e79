import type { Db } from "../../../platform/postgres/pool.ts";

/** Makes one user block another, whose rows are locked: both see the other differently from now on. */
export async function insertBlock(db: Db, blockerId: bigint, userId: bigint): Promise<void> {
  await db.query({
    name: "insert-block",
    text: `with added as (
             insert into social.block (blocker_id, user_id) values ($1, $2) on conflict do nothing returning 1
           ), noted as (
             insert into social.blocked (user_id, blocker_id) values ($2, $1) on conflict do nothing
           )
           update social.profile set viewer_version = viewer_version + 1
           where user_id in ($1, $2) and exists (select from added)`,
    values: [blockerId, userId],
  });
}

/** Ends the block. */
export async function deleteBlock(db: Db, blockerId: bigint, userId: bigint): Promise<void> {
  await db.query({
    name: "delete-block",
    text: `with removed as (
             delete from social.block where blocker_id = $1 and user_id = $2 returning 1
           ), forgotten as (
             delete from social.blocked where user_id = $2 and blocker_id = $1
           )
           update social.profile set viewer_version = viewer_version + 1
           where user_id in ($1, $2) and exists (select from removed)`,
    values: [blockerId, userId],
  });
}

/** Whether one of two users blocks the other. */
export async function isBlockBetween(db: Db, a: bigint, b: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "is-block-between",
    text: `select from social.block where (blocker_id = $1 and user_id = $2) or (blocker_id = $2 and user_id = $1)`,
    values: [a, b],
  });
  return rowCount !== 0;
}

/** Makes one user mute another; the muter's row is locked. */
export async function insertMute(db: Db, muterId: bigint, userId: bigint): Promise<void> {
  await db.query({
    name: "insert-mute",
    text: `with added as (
             insert into social.mute (muter_id, user_id) values ($1, $2) on conflict do nothing returning 1
           )
           update social.profile set viewer_version = viewer_version + 1, left_at = statement_timestamp()
           where user_id = $1 and exists (select from added)`,
    values: [muterId, userId],
  });
}

/** Ends the mute. */
export async function deleteMute(db: Db, muterId: bigint, userId: bigint): Promise<void> {
  await db.query({
    name: "delete-mute",
    text: `with removed as (
             delete from social.mute where muter_id = $1 and user_id = $2 returning 1
           )
           update social.profile set viewer_version = viewer_version + 1
           where user_id = $1 and exists (select from removed)`,
    values: [muterId, userId],
  });
}
