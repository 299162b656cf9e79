import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";

export interface MentionableUser {
  nameKey: string;
  userId: bigint;
  screenName: string;
  name: string;
}

/** The users of these names whom an author can mention; unknown names are left out, and who has blocked the author. */
export async function listMentionable(
  db: Db,
  screenNames: readonly string[],
  authorId: bigint,
): Promise<MentionableUser[]> {
  if (screenNames.length === 0) return [];
  const { rows } = await db.query<MentionableUser>({
    name: "list-mentionable",
    text: `select name_key as "nameKey", profile.user_id as "userId", screen_name as "screenName", name
           from social.screen_name join social.profile using (user_id)
           where name_key = any ($1::text[])
             and not exists (select from social.block where blocker_id = profile.user_id and block.user_id = $2)`,
    values: [screenNames.map(nameKey), authorId],
  });
  return rows;
}
