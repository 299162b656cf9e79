import type { Db } from "../../../platform/postgres/pool.ts";

/** Makes one user mute another; the muter's row is locked. */
export async function insertMute(db: Db, muterId: bigint, userId: bigint): Promise<void> {
  await db.query({
    name: "insert-mute",
    text: `with added as (
             insert into social.mute (muter_id, user_id) values ($1, $2) on conflict do nothing returning 1
           )
           update social.profile set viewer_version = viewer_version + 1
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
