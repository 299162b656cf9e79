import type { Db } from "../../platform/postgres/pool.ts";
import type { ProfileChange } from "../domain/profile-change.ts";
import { type ProfileRow, profileColumns } from "./rows.ts";

/** Sets the named columns of a profile and returns it, or undefined when there is none. */
export async function updateProfileRow(db: Db, userId: bigint, change: ProfileChange): Promise<ProfileRow | undefined> {
  // Column names come from the closed list in domain/profile-change.ts, never from a caller.
  const columns = Object.keys(change);
  const { rows } = await db.query<ProfileRow>({
    text: `update social.profile
           set ${columns.map((column, index) => `${column} = $${index + 2}`).join(", ")}, content_version = content_version + 1
           where user_id = $1
           returning ${profileColumns}`,
    values: [userId, ...Object.values(change)],
  });
  return rows[0];
}
