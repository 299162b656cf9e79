import { ask, write } from "./api.js";
import { seeUsers } from "./seen.js";
import { known } from "./store.js";

/**
 * One page of a list of people, the latest first.
 * @param {string} operation SocialFollowers, SocialFriends, FollowRequests, SocialBlocks or SocialMutes
 * @param {{ screenName?: string, take?: number, cursor?: string }} request @param {AbortSignal} [signal]
 * @returns {Promise<{ people: any[], next: string }>}
 */
export async function listPeople(operation, request, signal) {
  const { results, next } = await ask(operation, request, signal);
  seeUsers(results);
  return { people: results, next };
}

/** The user after a change of a relation with them. @param {string} operation @param {object} fields @returns {Promise<any>} */
export async function changeRelation(operation, fields) {
  const { results } = await write(operation, fields);
  hidden = undefined;
  return results[0];
}

/** Whom a reader blocks and mutes. A profile does not say it. @typedef {{ blocked: Set<string>, muted: Set<string> }} Hidden */

/** @type {{ userId: string | undefined, lists: Promise<Hidden> } | undefined} */
let hidden;

/** The ids of those whom the reader blocks and mutes, asked for once until it changes, or another one reads. */
export function loadHidden() {
  const userId = known.me?.userId;
  if (hidden?.userId !== userId) hidden = undefined;
  hidden ??= { userId, lists: askHidden() };
  const asked = hidden;
  // The next one asks again.
  asked.lists.catch(() => hidden === asked && (hidden = undefined));
  return asked.lists;
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
    const page = await listPeople(operation, { take: 200, cursor });
    for (const { id } of page.people) ids.add(id);
    if (page.next === "") return ids;
    cursor = page.next;
  }
}
