import type { Db } from "../../../platform/postgres/pool.ts";
import { deletePrefixes } from "../search/name-prefixes.ts";

/** Whether a user had a profile that was deleted. */
export async function isRemoved(db: Db, userId: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "is-removed",
    text: `select from social.removed_profile where user_id = $1`,
    values: [userId],
  });
  return rowCount === 1;
}

/**
 * Stores that a user is deleted for good. Waits for a transaction that is adding the user's profile; a later one finds the row.
 * To be called before any other lock is taken.
 */
export async function insertRemovedProfile(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "insert-removed-profile",
    text: `insert into social.removed_profile (user_id) values ($1) on conflict do nothing`,
    values: [userId],
  });
}

/** Locks that row, so that several calls for one deleted user take turns, also in other processes: there is no profile to lock. */
export async function lockRemovedProfile(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "lock-removed-profile",
    text: `select from social.removed_profile where user_id = $1 for update`,
    values: [userId],
  });
}

/**
 * Removes the profile and the name of a user who is listed in removed_profile. Repeating it changes
 * nothing.
 */
export async function removeProfile(db: Db, userId: bigint): Promise<void> {
  await deleteNames(db, userId);
  await deletePrefixes(db, [userId]);
  await db.query({
    name: "remove-profile",
    text: `delete from social.profile
           where user_id = $1 and exists (select from social.removed_profile where user_id = $1)`,
    values: [userId],
  });
}

/** By a statement of its own: as part of another one a cluster would delete them on the server of the profile only. */
async function deleteNames(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "delete-names",
    text: `delete from social.screen_name where user_id = $1`,
    values: [userId],
  });
}
