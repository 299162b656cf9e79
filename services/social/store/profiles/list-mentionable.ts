import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";

export interface MentionableUser {
  nameKey: string;
  userId: bigint;
  screenName: string;
  name: string;
}

/** The users of these names; unknown names are left out. */
export async function listMentionable(db: Db, screenNames: readonly string[]): Promise<MentionableUser[]> {
  if (screenNames.length === 0) return [];
  const { rows } = await db.query<MentionableUser>({
    name: "list-mentionable",
    text: `select name_key as "nameKey", user_id as "userId", screen_name as "screenName", name
           from social.screen_name join social.profile using (user_id)
           where name_key = any ($1::text[])`,
    values: [screenNames.map(nameKey)],
  });
  return rows;
}
