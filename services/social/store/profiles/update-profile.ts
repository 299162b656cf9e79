import type { Db } from "../../../platform/postgres/pool.ts";
import { searchRules } from "../../../platform/rules/search-rules.ts";
import type { ProfileChange } from "../../domain/profile-fields.ts";
import { type ProfileRow, profileColumns } from "../rows.ts";

/**
 * Sets columns of a profile whose row is locked, and returns it. Without a change there is no new version. A change of the
 * protection makes the user's reposts due (rpc/mark-reposts.ts). Of an imported profile the columns are noted, so that
 * another import leaves them alone.
 */
export async function updateProfileRow(db: Db, userId: bigint, change: ProfileChange): Promise<ProfileRow> {
  // The columns are those that ProfileChange names, never a caller's words.
  const columns = Object.keys(change);
  const parameter = (index: number) => `$${index + 2}`;
  const sets = columns.map((column, index) => `${column} = ${parameter(index)}`);
  if ("protected" in change)
    sets.push(
      `reposts_due = case when protected <> ${parameter(columns.indexOf("protected"))} then content_version + 1 else reposts_due end`,
    );
  // Whoever changes the name replaces its prefixes, too.
  if ("name" in change) sets.push(`search_rules = ${searchRules}`);
  const { rows } = await db.query<ProfileRow>({
    text: `with present as (
             select (${columns.join(", ")}) is distinct from (${columns.map((_, index) => parameter(index)).join(", ")}) as differs
             from social.profile where user_id = $1
           )
           update social.profile set
             ${sets.join(", ")},
             changed_here = case when origin is not null
               then array(select unnest(changed_here) union select unnest(${parameter(columns.length)}::text[])) end,
             content_version = content_version + differs::int, version = version + differs::int
           from present where user_id = $1
           returning ${profileColumns}`,
    values: [userId, ...Object.values(change), columns],
  });
  return rows[0] as ProfileRow;
}

/** Increases a user's viewer version, where no other statement of the write does. */
export async function advanceViewer(db: Db, userId: bigint): Promise<void> {
  await db.query({
    name: "advance-viewer",
    text: `update social.profile set viewer_version = viewer_version + 1 where user_id = $1`,
    values: [userId],
  });
}
