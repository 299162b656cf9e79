import type { Db } from "../../../platform/postgres/pool.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";
import { listNameHolders } from "./name-holders.ts";

export interface MentionableUser {
  nameKey: string;
  userId: bigint;
  screenName: string;
  name: string;
}

/** The users with these names whom an author can mention: without unknown names, suspended users and users who have blocked the author. */
export async function listMentionable(
  db: Db,
  screenNames: readonly string[],
  authorId: bigint,
): Promise<MentionableUser[]> {
  if (screenNames.length === 0) return [];
  const holders = await listNameHolders(db, screenNames.map(nameKey));
  if (holders.size === 0) return [];
  const { rows } = await db.query<Omit<MentionableUser, "nameKey">>({
    name: "list-mentionable",
    text: `select user_id as "userId", screen_name as "screenName", name
           from social.profile where user_id = any ($1::bigint[]) and not suspended
             and not exists (select from social.block where blocker_id = profile.user_id and block.user_id = $2)`,
    values: [[...holders.values()], authorId],
  });
  const users = new Map(rows.map((row) => [row.userId, row]));
  return [...holders].flatMap(([nameKey, id]) => {
    const user = users.get(id);
    return user === undefined ? [] : [{ nameKey, ...user }];
  });
}
