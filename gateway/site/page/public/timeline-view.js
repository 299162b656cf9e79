import { ApiError, findUsers } from "./api.js";
import { element } from "./element.js";
import { failureView } from "./failure-view.js";
import { loadPage } from "./load-page.js";
import { timelineHref } from "./place.js";
import { profileView } from "./profile-view.js";
import { statusView } from "./status-view.js";

/** A page of one user's timeline. @param {{ user: string, maxId?: string, sinceId?: string }} place @param {AbortSignal} signal */
export async function showTimeline(place, signal) {
  try {
    const [[user], page] = await Promise.all([findUsers([place.user], signal), pageOrRefusal(place, signal)]);
    if (user === undefined) throw new ApiError(404, {});
    const title = `${user.name || user.screen_name} (@${user.screen_name})`;
    if (page === undefined) return { title, news: refused, nodes: [profileView(user), note(refused)] };
    return { title, news: newsOf(page, user), nodes: [profileView(user), ...pageNodes(place, user, page)] };
  } catch (error) {
    return failureView(error, `There is no user called ${place.user}`);
  }
}

const refused = "This timeline is protected: only approved followers can read it.";

/** Undefined stands for a timeline that is not for this reader. @param {{ user: string }} place @param {AbortSignal} signal */
async function pageOrRefusal(place, signal) {
  try {
    return await loadPage(place, signal);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return undefined;
    throw error;
  }
}

/** @param {any} place @param {any} user @param {{ statuses: any[], older?: string, newer?: string }} page */
function pageNodes(place, user, { statuses, older, newer }) {
  const elsewhere = place.maxId !== undefined || place.sinceId !== undefined;
  const links = [
    elsewhere ? pageLink("Newest", user, {}) : undefined,
    newer === undefined ? undefined : pageLink("Newer", user, { sinceId: newer }, "prev"),
    older === undefined ? undefined : pageLink("Older", user, { maxId: older }, "next"),
  ].filter((link) => link !== undefined);
  const items = statuses.map((status) => element("li", {}, statusView(status, user.lang)));
  return [
    element("h2", { class: "hidden" }, "Statuses"),
    items.length > 0 ? element("ol", { class: "statuses" }, ...items) : note("Nothing here yet."),
    links.length > 0 ? element("nav", { class: "pages", "aria-label": "Pages of this timeline" }, ...links) : "",
  ];
}

/** @param {string} text @param {any} user @param {{ maxId?: string, sinceId?: string }} page @param {string} [rel] */
function pageLink(text, user, page, rel) {
  return element("a", { href: timelineHref(user.screen_name, page), rel, class: text.toLowerCase() }, text);
}

/** @param {{ statuses: any[], older?: string }} page @param {any} user */
function newsOf({ statuses, older }, user) {
  const end = older === undefined && statuses.length > 0 ? " This is the oldest page." : "";
  return `${statuses.length} ${statuses.length === 1 ? "status" : "statuses"} of ${user.name || user.screen_name}.${end}`;
}

/** @param {string} text */
function note(text) {
  return element("p", { class: "note" }, text);
}
