import { isScreenName, nameKey } from "../../platform/rules/screen-name.ts";
import type { SocialContext } from "../context.ts";
import { listNameHolders } from "../store/profiles/list-name-holders.ts";
import { findByNames } from "./find-by-names.ts";

/** A user, with the requested names that are this user's. */
export interface FoundUser {
  user_id: bigint;
  name_keys: string[];
}

/**
 * The users of these ids and these screen names: in the given order, each once, without unknown ones. The number of statements does
 * not depend on the number of users, as long as this process has the ids of the names.
 * @param list gives the users of these ids, each once, in any order
 */
export async function findUsers<User extends FoundUser>(
  ctx: Pick<SocialContext, "knownIds" | "pool">,
  userIds: readonly bigint[],
  screenNames: readonly string[],
  list: (userIds: readonly bigint[], nameKeys: readonly string[]) => Promise<User[]>,
): Promise<User[]> {
  const rows = new Map<bigint, User>();
  let pendingIds = userIds;
  const find = async (nameKeys: readonly string[], holderIds: readonly bigint[]) => {
    const found = await list([...new Set([...pendingIds, ...holderIds])], nameKeys);
    pendingIds = [];
    for (const row of found) rows.set(row.user_id, row);
    return new Map(found.flatMap((row) => row.name_keys.map((key) => [key, row.user_id])));
  };
  const keys = screenNames.filter(isScreenName).map(nameKey);
  const byName = await findByNames(ctx, [...new Set(keys)], find, (nameKeys) => listNameHolders(ctx.pool, nameKeys));
  if (pendingIds.length > 0) await find([], []);
  const asked = new Set([...userIds, ...keys.map((key) => byName.get(key))]);
  return [...asked].flatMap((id) => (id === undefined ? [] : (rows.get(id) ?? [])));
}
