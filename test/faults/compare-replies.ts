import type { Asker } from "./ask.ts";
import type { Query } from "./compare-tables.ts";

interface Row {
  user_id: string;
  screen_name: string;
  description: string;
  /** Newest first. */
  ids: string[];
  friends: number;
  followers: number;
  favourites: number;
}

interface Profile {
  id: string | number;
  screen_name: string;
  description: string;
  statuses_count: number;
  friends_count: number;
  followers_count: number;
  favourites_count: number;
  status?: { id: number };
}

/**
 * Compares what the gateway shows of every user with the rows of the tables; returns the differences as sentences. The counters
 * are recounted by SQL that is independent of the service's.
 */
export async function compareReplies(ask: Asker, query: Query): Promise<string[]> {
  const rows = (await query(users)) as unknown as Row[];
  const wrong: string[] = [];
  for (let start = 0; start < rows.length; start += 50) {
    const some = rows.slice(start, start + 50);
    const shown = await lookUp(ask, some);
    for (const row of some) wrong.push(...differences(row, shown.get(row.user_id)));
  }
  for (const row of rows.filter(({ ids }) => ids.length > 0)) {
    const ids = await readTimeline(ask, row.screen_name);
    if (ids.join() !== row.ids.join()) {
      wrong.push(`${row.screen_name}'s timeline shows ${ids.length} statuses, ${row.ids.length} are in the tables`);
    }
  }
  return wrong;
}

function differences(row: Row, shown: Profile | undefined): string[] {
  if (shown === undefined) return [`${row.screen_name} is not found`];
  const pairs: [string, unknown, unknown][] = [
    ["description", shown.description, row.description],
    ["statuses_count", shown.statuses_count, row.ids.length],
    ["friends_count", shown.friends_count, row.friends],
    ["followers_count", shown.followers_count, row.followers],
    ["favourites_count", shown.favourites_count, row.favourites],
    ["status", shown.status && String(shown.status.id), row.ids[0]],
  ];
  return pairs
    .filter(([, says, is]) => says !== is)
    .map(([field, says, is]) => `${row.screen_name}: ${field} shows ${says}, and is ${is}`);
}

async function lookUp(ask: Asker, rows: readonly Row[]): Promise<Map<string, Profile>> {
  const { status, body } = await ask.get(`/social/${rows.map((row) => row.screen_name).join(",")}`);
  if (status !== 200) throw new Error(`a lookup at rest got ${status} ${body}`);
  const { results } = JSON.parse(body) as { results: Profile[] };
  return new Map(results.map((profile) => [String(profile.id), profile]));
}

async function readTimeline(ask: Asker, screenName: string): Promise<string[]> {
  const ids: string[] = [];
  for (let maxId = ""; ; ) {
    const { status, body } = await ask.get(`/social/${screenName}/timelines?take=200${maxId}`);
    if (status !== 200) throw new Error(`a timeline at rest got ${status} ${body}`);
    const { results } = JSON.parse(body) as { results: { id: number }[] };
    ids.push(...results.map(({ id }) => String(id)));
    const last = results.at(-1);
    if (last === undefined || results.length < 200) return ids;
    maxId = `&maxId=${last.id - 1}`;
  }
}

const users = `
  select user_id::text, screen_name, description,
    array(select id::text from social.status where author_id = profile.user_id order by social.status.id desc) as ids,
    (select count(*)::int from social.follow where follower_id = profile.user_id) as friends,
    (select count(*)::int from social.follow where follow.user_id = profile.user_id) as followers,
    (select count(*)::int from social.favorite where favorite.user_id = profile.user_id) as favourites
  from social.profile order by user_id`;
