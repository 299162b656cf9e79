import type { SocialContext } from "../context.ts";

/**
 * What a statement finds of the users who answer to these names, by name key; unknown names are left out. The statement is asked
 * with their ids, so that it needs their shards only: those by which this process knows them, or those that are looked up.
 * It gives nothing for a name that no longer is the user's; names that were known so are looked up again.
 * @param nameKeys each once
 * @param find gives what is found of users who answer to these names and have these ids, by name key
 * @param lookUp gives the ids of the users who answer to names now
 */
export async function findByNames<Found>(
  { knownIds }: Pick<SocialContext, "knownIds">,
  nameKeys: readonly string[],
  find: (nameKeys: readonly string[], userIds: readonly bigint[]) => Promise<Map<string, Found>>,
  lookUp: (nameKeys: readonly string[]) => Promise<Map<string, bigint>>,
): Promise<Map<string, Found>> {
  const known = new Map(nameKeys.flatMap((key) => pairOf(key, knownIds.find(key))));
  const found = await findWith(known);
  const outdated = [...known.keys()].filter((key) => !found.has(key));
  return outdated.length === 0 ? found : new Map([...found, ...(await findWith(new Map(), outdated))]);

  async function findWith(ids: Map<string, bigint>, keys = nameKeys) {
    const unknown = keys.filter((key) => !ids.has(key));
    const holders = unknown.length > 0 ? await lookUp(unknown) : new Map<string, bigint>();
    for (const [key, id] of holders) knownIds.store(key, id);
    const userIds = [...ids.values(), ...holders.values()];
    return userIds.length > 0 ? find([...ids.keys(), ...holders.keys()], userIds) : new Map<string, Found>();
  }
}

function pairOf(key: string, id: bigint | undefined): [string, bigint][] {
  return id === undefined ? [] : [[key, id]];
}
