import { isScreenName, nameKey } from "../../platform/rules/screen-name.ts";
import type { SocialContext } from "../context.ts";
import { listNameHolders } from "../store/profiles/list-name-holders.ts";
import { listProfiles, type ProfileWithStatus } from "../store/profiles/list-profiles.ts";
import { findByNames } from "./find-by-names.ts";

/**
 * The users of these ids and these screen names, as the viewer sees them: in the given order, each once, without unknown ones.
 * The number of statements does not depend on the number of users, while this process knows the names.
 */
export async function findUsers(
  ctx: Pick<SocialContext, "knownIds" | "pool">,
  userIds: readonly bigint[],
  screenNames: readonly string[],
  viewer: bigint | undefined,
): Promise<ProfileWithStatus[]> {
  const rows = new Map<bigint, ProfileWithStatus>();
  let pendingIds = userIds;
  const find = async (nameKeys: readonly string[], holderIds: readonly bigint[]) => {
    const found = await listProfiles(ctx.pool, [...new Set([...pendingIds, ...holderIds])], nameKeys, viewer);
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
