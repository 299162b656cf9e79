import { ApiError, ask } from "./api.js";

/** Statuses that one more page adds. */
export const publicPageSize = 20;
/** Statuses in one reply (contract §13.3). */
const maxTake = 200;

/**
 * The newest statuses that everybody may read, each with its `user`, and whether there are older ones. Undefined on a gateway that
 * does not serve them.
 * @param {number} size @param {AbortSignal} signal @returns {Promise<{ statuses: any[], hasMore: boolean } | undefined>}
 */
export async function loadPublic(size, signal) {
  /** @type {any[]} */
  const statuses = [];
  let cursor = "";
  try {
    do {
      const page = await ask("SocialPublic", { take: Math.min(size - statuses.length, maxTake), cursor }, signal);
      statuses.push(...page.results);
      cursor = page.next;
    } while (cursor !== "" && statuses.length < size);
  } catch (error) {
    // PUBLIC_OPERATIONS=interface.
    if (error instanceof ApiError && error.status === 405) return undefined;
    throw error;
  }
  return { statuses, hasMore: cursor !== "" };
}
