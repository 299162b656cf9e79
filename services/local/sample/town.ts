import { chronicle } from "./chronicle/chronicle.ts";
import type { Entry } from "./entry.ts";
import { people } from "./people/people.ts";
import { readChronicle } from "./read-chronicle.ts";
import { snowflake } from "./snowflake.ts";
import { createStatus } from "./status.ts";
import { createUser } from "./user.ts";
import type { V11Status, V11User } from "./v11.ts";
import { weatherReports } from "./weather/weather-reports.ts";

/**
 * Kittiwick, a small harbour town that does not exist: its people, and what they have said up to `now`, oldest first, as
 * Twitter API v1.1 would write it. The same moment always gives the same town; user ids never change.
 */
export function sampleTown(now: Date): { users: V11User[]; statuses: V11Status[] } {
  const entries = [...readChronicle(chronicle, now), ...weatherReports(now)].sort((a, b) => a.at - b.at);
  const users = new Map(people.map((person) => [person.screenName, createUser(person, countOf(person, entries), now)]));
  const reposts = repostsOf(entries);
  const statuses = new Map<Entry, V11Status>();
  for (const [sequence, entry] of entries.entries()) {
    statuses.set(entry, createStatus(entry, snowflake(entry.at, sequence), { users, statuses, reposts }));
  }
  return { users: [...users.values()], statuses: [...statuses.values()] };
}

function countOf({ screenName }: { screenName: string }, entries: readonly Entry[]): number {
  return entries.filter(({ author }) => author === screenName).length;
}

function repostsOf(entries: readonly Entry[]): Map<Entry, number> {
  const counts = new Map<Entry, number>();
  for (const { repeats } of entries) {
    if (repeats !== undefined) counts.set(repeats, (counts.get(repeats) ?? 0) + 1);
  }
  return counts;
}
