import type { SocialContext } from "../context.ts";

/**
 * Runs `find` with these names and the ids of their users, so that only their shards are asked. The ids come from `knownIds`; a name
 * that is not there, or for which `find` gives nothing, is looked up. Names that no user has are left out.
 * @param nameKeys each once
 * @param find returns, by name key, the results for users who have these names and these ids
 * @param lookUp returns the ids of the users who have the names now
 */
export async function findByNames<Found>(
  { knownIds }: Pick<SocialContext, "knownIds">,
  nameKeys: readonly string[],
  find: (nameKeys: readonly string[], userIds: readonly bigint[]) => Promise<Map<string, Found>>,
  lookUp: (nameKeys: readonly string[]) => Promise<Map<string, bigint>>,
): Promise<Map<string, Found>> {
  const known = new Map<string, bigint>();
  for (const key of nameKeys) {
    const id = knownIds.get(key);
    if (id !== undefined) known.set(key, id);
  }
  const found = await findWith(known);
  const outdated = [...known.keys()].filter((key) => !found.has(key));
  return outdated.length === 0 ? found : new Map([...found, ...(await findWith(new Map(), outdated))]);

  async function findWith(ids: Map<string, bigint>, keys = nameKeys) {
    const unknown = keys.filter((key) => !ids.has(key));
    const holders = unknown.length > 0 ? await lookUp(unknown) : new Map<string, bigint>();
    for (const [key, id] of holders) knownIds.set(key, id);
    const userIds = [...ids.values(), ...holders.values()];
    return userIds.length > 0 ? find([...ids.keys(), ...holders.keys()], userIds) : new Map<string, Found>();
  }
}
