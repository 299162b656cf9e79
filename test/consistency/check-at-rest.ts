import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { facets, type Sights, type Subject } from "./facets.ts";
import { readIds, readProfiles, readTimeline, Unavailable } from "./read.ts";
import type { Verdict } from "./verdict.ts";

/** Reads every user by every gateway, when nothing is written any more: everything is as the writers were answered. */
export async function checkAtRest(
  { gateways }: Cluster,
  users: readonly Subject[],
  { lost }: Pick<Verdict, "lost">,
): Promise<void> {
  for (const { url, name } of gateways) {
    for (const user of users) {
      const [profile = {}] = await whenAvailable(() => readProfiles(url, [user.screenName]));
      for (const sights of [await whenAvailable(() => readTimeline(url, user.screenName)), profile]) {
        lost.push(...differences(user, sights).map((line) => `at rest, by ${name}: ${line}`));
      }
      const ids = await whenAvailable(() => readIds(url, user.screenName));
      if (ids === undefined) continue;
      for (const id of user.statuses) if (!ids.delete(id)) lost.push(`${user.screenName}'s status ${id}`);
      for (const id of ids) lost.push(`the deletion of ${user.screenName}'s status ${id}`);
    }
  }
}

/** A process finds out by a failure that a server which was killed is back. */
async function whenAvailable<T>(read: () => Promise<T>): Promise<T> {
  const end = performance.now() + 30_000;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > end) throw error;
      await sleep(100);
    }
  }
}

function differences({ screenName, histories }: Subject, sights: Sights): string[] {
  return facets
    .filter((facet) => sights[facet] !== undefined && sights[facet] !== histories[facet].latest)
    .map((facet) => `${screenName}'s ${facet}: ${sights[facet]} for ${histories[facet].latest}`);
}
