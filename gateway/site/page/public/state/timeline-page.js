import { listStatuses } from "./users.js";

/** Statuses on a page. */
export const pageSize = 20;
/** Statuses in one reply (contract §8). */
const maxTake = 200;

/**
 * Loads one page of a timeline. `older` is the maxId of the next older page, `newer` the sinceId of the next newer one.
 * @param {{ user: string, maxId?: string, sinceId?: string }} route
 * @param {AbortSignal} signal
 * @returns {Promise<{ statuses: any[], older?: string, newer?: string }>}
 */
export function loadPage(route, signal) {
  return route.sinceId === undefined
    ? pageFrom(route, signal)
    : pageAfter({ ...route, sinceId: route.sinceId }, signal);
}

/** @param {{ user: string, maxId?: string }} route @param {AbortSignal} signal */
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
 * The page right above a status. Timelines are read from the newest status on, so this reads all pages down to `sinceId` and
 * shows the last one.
 * @param {{ user: string, sinceId: string, maxId?: string }} route @param {AbortSignal} signal
 */
async function pageAfter({ user, sinceId, maxId }, signal) {
  let [found, part, below] = [/** @type {any[]} */ ([]), /** @type {any[]} */ ([]), maxId];
  do {
    part = await listStatuses(user, { take: maxTake, sinceId, maxId: below }, signal);
    // One status more than a page tells whether there is a newer page.
    found = [...found.slice(-pageSize - 1), ...part];
    if (part.length > 0) below = `${part[part.length - 1].id - 1}`;
  } while (part.length === maxTake);
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
