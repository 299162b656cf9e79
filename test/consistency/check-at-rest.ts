import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { facets, type States, type Subject } from "./facets.ts";
import { readIds, readProfiles, readTimeline, Unavailable } from "./read.ts";
import type { Verdict } from "./verdict.ts";

/** Reads every user at every gateway after the last write, and notes what differs from the acknowledged writes. */
export async function checkAtRest(
  { gateways }: Cluster,
  users: readonly Subject[],
  { lost }: Pick<Verdict, "lost">,
): Promise<void> {
  for (const { url, name } of gateways) {
    for (const user of users) {
      const [profile = {}] = await whenAvailable(() => readProfiles(url, [user.screenName]));
      for (const states of [await whenAvailable(() => readTimeline(url, user.screenName)), profile]) {
        lost.push(...differences(user, states).map((line) => `at rest, by ${name}: ${line}`));
      }
      const ids = await whenAvailable(() => readIds(url, user.screenName));
      if (ids === undefined) continue;
      for (const id of user.statuses) if (!ids.delete(id)) lost.push(`${user.screenName}'s status ${id}`);
      for (const id of ids) lost.push(`the deletion of ${user.screenName}'s status ${id}`);
    }
  }
}

/** Repeats a read for 30 s: a process notices by a failure that a database server was restarted. */
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

function differences({ screenName, histories }: Subject, states: States): string[] {
  return facets
    .filter((facet) => states[facet] !== undefined && states[facet] !== histories[facet].latest)
    .map((facet) => `${screenName}'s ${facet}: ${states[facet]} for ${histories[facet].latest}`);
}
