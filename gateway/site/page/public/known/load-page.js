import { listStatuses } from "./people.js";

/** How many statuses a page shows. */
export const pageSize = 20;
/** The most that one call returns (contract §8). */
const most = 200;

/**
 * Loads one page of a timeline, and where its neighbours begin. The first status of the older page is its maxId; the last
 * status before the newer page is its sinceId.
 * @param {{ user: string, maxId?: string, sinceId?: string }} place
 * @param {AbortSignal} signal
 * @returns {Promise<{ statuses: any[], older?: string, newer?: string }>}
 */
export function loadPage(place, signal) {
  return place.sinceId === undefined
    ? pageFrom(place, signal)
    : pageAfter({ ...place, sinceId: place.sinceId }, signal);
}

/** @param {{ user: string, maxId?: string }} place @param {AbortSignal} signal */
async function pageFrom({ user, maxId }, signal) {
  const found = await listStatuses(user, { take: pageSize + 1, maxId }, signal);
  const statuses = found.slice(0, pageSize);
  const newest = statuses.length > 0 ? `${statuses[0].id}` : maxId;
  return {
    statuses,
    older: found.length > pageSize ? `${found[pageSize].id}` : undefined,
    newer: maxId !== undefined && (await isAny(user, { sinceId: newest }, signal)) ? newest : undefined,
  };
}

/**
 * The page right above a status. The contract gives the newest statuses above it, so this walks down to it: no status
 * between is passed over, also when more are published meanwhile.
 * @param {{ user: string, sinceId: string, maxId?: string }} place @param {AbortSignal} signal
 */
async function pageAfter({ user, sinceId, maxId }, signal) {
  let [found, part, below] = [/** @type {any[]} */ ([]), /** @type {any[]} */ ([]), maxId];
  do {
    part = await listStatuses(user, { take: most, sinceId, maxId: below }, signal);
    // One page and one more is all that is needed of what came before.
    found = [...found.slice(-pageSize - 1), ...part];
    if (part.length > 0) below = `${part[part.length - 1].id - 1}`;
  } while (part.length === most);
  const statuses = found.slice(-pageSize);
  return {
    statuses,
    older: (await isAny(user, { maxId: sinceId }, signal)) ? sinceId : undefined,
    newer: found.length > pageSize ? `${statuses[0].id}` : undefined,
  };
}

/** @param {string} user @param {{ maxId?: string, sinceId?: string }} range @param {AbortSignal} signal */
async function isAny(user, range, signal) {
  return (await listStatuses(user, { ...range, take: 1 }, signal)).length > 0;
}
