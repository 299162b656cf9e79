import type { Db } from "../../../platform/postgres/pool.ts";

/** Increases a user's viewer version, where no other statement of the write does. */
export async function advanceViewer(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "advance-viewer",
    text: `update social.profile set viewer_version = viewer_version + 1 where user_id = $1`,
    values: [userId],
  });
}
