import { loadTimeline } from "./timelines.js";

const maxSuggested = 3;
/** Statuses whose authors are looked at. */
const size = 100;

/** Authors of the newest statuses whom the signed-in user could follow. @param {import("./app-state.js").Me} me @param {AbortSignal} signal @returns {Promise<any[]>} */
export async function listSuggested(me, signal) {
  const newest = await loadTimeline("SocialPublic", {}, size, signal);
  const authors = new Map((newest?.statuses ?? []).map(({ user }) => [user.id, user]));
  return [...authors.values()].filter(({ id, following }) => id !== me.userId && !following).slice(0, maxSuggested);
}
