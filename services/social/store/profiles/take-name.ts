import type { Db } from "../../../platform/postgres/pool.ts";
import { listNameHolders } from "./name-holders.ts";

/**
 * Gives a name, by its key, to a user; a user who had it loses it. On a cluster names lie on every server, and Citus lets only
 * one transaction at a time run a statement there that may update a row. So a free name, as nearly all are, is only inserted:
 * such inserts run side by side.
 * @throws DatabaseError with a violated unique key when another transaction has just taken the name: trying again helps
 */
export async function takeName(db: Db, nameKey: string, userId: bigint): Promise<void> {
  const holder = (await listNameHolders(db, [nameKey])).get(nameKey);
  if (holder === undefined) await insertName(db, nameKey, userId);
  // The holder may have lost the name since it was looked up: an import renames its users, too.
  else if (holder !== userId && !(await moveName(db, nameKey, userId))) await insertName(db, nameKey, userId);
}

async function insertName(db: Db, nameKey: string, userId: bigint): Promise<void> {
  await db.query({
    name: "insert-name",
    text: `insert into social.screen_name (name_key, user_id) values ($1, $2)`,
    values: [nameKey, userId],
  });
}

/** Returns whether a user had the name. */
async function moveName(db: Db, nameKey: string, userId: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "move-name",
    text: `update social.screen_name set user_id = $2 where name_key = $1`,
    values: [nameKey, userId],
  });
  return rowCount === 1;
}
