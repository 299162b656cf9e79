import { read } from "./api.js";
import { loadTimeline } from "./timelines.js";

/** Users by name, unknown and suspended ones left out. @param {string[]} names @param {AbortSignal} signal @returns {Promise<any[]>} */
export async function findUsers(names, signal) {
  if (names.length === 0) return [];
  // Not `/social/NAMES`: a browser takes `..` for a step up, and the router `ids` of a timeline for a lookup by id.
  const { results } = await read(
    `/json/reply/SocialUsers?${new URLSearchParams({ screenNames: names.join(",") })}`,
    signal,
  );
  return results;
}

/**
 * Statuses of one user, newest first.
 * @param {string} user
 * @param {{ take: number, maxId?: string, sinceId?: string }} page maxId is included, sinceId is not
 * @param {AbortSignal} signal @returns {Promise<any[]>}
 */
export async function listStatuses(user, page, signal) {
  const query = new URLSearchParams({ screenName: user, take: `${page.take}` });
  if (page.maxId !== undefined) query.set("maxId", page.maxId);
  if (page.sinceId !== undefined) query.set("sinceId", page.sinceId);
  return (await read(`/json/reply/SocialTimelines?${query}`, signal)).results;
}

const maxSuggested = 3;
/** Statuses whose authors are looked at. */
const suggestedFrom = 100;

/** Authors of the newest statuses whom the signed-in user could follow. @param {import("./app-state.js").Me} me @param {AbortSignal} signal @returns {Promise<any[]>} */
export async function listSuggested(me, signal) {
  const newest = await loadTimeline("SocialPublic", {}, suggestedFrom, signal);
  const authors = new Map((newest?.statuses ?? []).map(({ user }) => [user.id, user]));
  return [...authors.values()].filter(({ id, following }) => id !== me.userId && !following).slice(0, maxSuggested);
}
