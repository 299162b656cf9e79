import { ask, write } from "./api.js";
import { seeUsers } from "./seen.js";

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

/** Whom the reader blocks and mutes. A profile does not say it. @type {Promise<{ blocked: Set<string>, muted: Set<string> }> | undefined} */
let hidden;

/** The ids of those whom the reader blocks and mutes, asked for once until it changes. */
export function loadHidden() {
  hidden ??= Promise.all([idsOf("SocialBlocks"), idsOf("SocialMutes")]).then(([blocked, muted]) => ({
    blocked,
    muted,
  }));
  // The next one asks again.
  hidden.catch(() => (hidden = undefined));
  return hidden;
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
