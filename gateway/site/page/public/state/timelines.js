import { ApiError, ask } from "./api.js";

/** Statuses that one more page adds. */
export const pageSize = 20;
/** Statuses in one reply (contract §8). */
const maxTake = 200;

/**
 * A part of a timeline: its statuses, each with its `user`; `next` is the cursor of what follows, empty at the end, and `newer` that of
 * what will be published.
 * @typedef {{ operation: string, fields: object, statuses: any[], next: string, newer?: string }} Part
 */

/**
 * Loads the beginning of a timeline. Undefined on a gateway that does not serve it.
 * @param {string} operation SocialHome, SocialPublic, SocialMentions, SocialReplies, SocialFavorites or SearchStatuses
 * @param {object} fields @param {number} size statuses, at least; rounded up to one page @param {AbortSignal} [signal]
 * @returns {Promise<Part | undefined>}
 */
export async function loadTimeline(operation, fields, size, signal) {
  const wanted = Math.max(size, pageSize);
  /** @type {Part} */
  const whole = { operation, fields, statuses: [], next: "" };
  do {
    const part = await loadMore(whole, Math.min(wanted - whole.statuses.length, maxTake), signal).catch(orMissing);
    if (part === undefined) return undefined;
    whole.statuses.push(...part.statuses);
    whole.next = part.next;
    whole.newer ??= part.newer;
  } while (whole.next !== "" && whole.statuses.length < wanted);
  return whole;
}

/** Loads what follows a part. @param {Part} part @param {number} take @param {AbortSignal} [signal] @returns {Promise<Part>} */
export async function loadMore({ operation, fields, next: cursor }, take, signal) {
  const { results, next, newer } = await ask(operation, { ...fields, take, cursor }, signal);
  return { operation, fields, statuses: results, next, newer };
}

/** Undefined for an operation that the gateway does not serve (PUBLIC_OPERATIONS); throws any other error. @param {unknown} error */
export function orMissing(error) {
  if (error instanceof ApiError && error.isMissing) return undefined;
  throw error;
}

/** Tells statuses apart: ids are unique for one author only. @param {any} status */
export function keyOf({ id, user }) {
  return `${user?.id}.${id}`;
}
