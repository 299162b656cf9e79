import { ask, write } from "./api.js";
import { appState } from "./app-state.js";

/**
 * One page of a list of people, the latest first.
 * @param {string} operation SocialFollowers, SocialFriends, FollowRequests, SocialBlocks, SocialMutes or SearchUsers
 * @param {{ screenName?: string, q?: string, take?: number, cursor?: string }} request @param {AbortSignal} [signal]
 * @returns {Promise<{ people: any[], next: string }>}
 */
export async function listUsers(operation, request, signal) {
  const { results, next } = await ask(operation, request, signal);
  return { people: results, next };
}

/** Changes a relation; gives the user as the reply shows them. @param {string} operation @param {object} fields @returns {Promise<any>} */
export async function changeRelation(operation, fields) {
  const { results } = await write(operation, fields);
  hidden = undefined;
  return results[0];
}

/** Ids of users that the signed-in user blocks and mutes, which profiles do not tell. @typedef {{ blocked: Set<string>, muted: Set<string> }} Hidden */

/** @type {{ userId: string | undefined, lists: Promise<Hidden> } | undefined} */
let hidden;

/** The blocks and mutes of the signed-in user, loaded once until one changes or another user signs in. */
export function loadHidden() {
  const userId = appState.me?.userId;
  if (hidden?.userId !== userId) hidden = undefined;
  hidden ??= { userId, lists: askHidden() };
  const asked = hidden;
  // After a failure the next caller loads again.
  asked.lists.catch(() => hidden === asked && (hidden = undefined));
  return asked.lists;
}

/** The same for views, which show all where it cannot be loaded; empty without a session. @returns {Promise<Hidden>} */
export async function hiddenFromMe() {
  const none = { blocked: new Set(), muted: new Set() };
  return appState.me === undefined ? none : loadHidden().catch(() => none);
}

/** @returns {Promise<Hidden>} */
async function askHidden() {
  const [blocked, muted] = await Promise.all([idsOf("SocialBlocks"), idsOf("SocialMutes")]);
  return { blocked, muted };
}

/** @param {string} operation */
async function idsOf(operation) {
  /** @type {Set<string>} */
  const ids = new Set();
  for (let cursor = ""; ; ) {
    const page = await listUsers(operation, { take: 200, cursor });
    for (const { id } of page.people) ids.add(id);
    if (page.next === "") return ids;
    cursor = page.next;
  }
}
