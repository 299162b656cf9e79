import { findUsers } from "./api.js";
import { element, heading } from "./element.js";
import { failureView } from "./failure-view.js";
import { personView } from "./profile-view.js";
import { statusView } from "./status-view.js";

/** The users of some names, each with the latest status, and the names that no user has. @param {string[]} names @param {AbortSignal} signal */
export async function showPeople(names, signal) {
  try {
    const users = await findUsers(names, signal);
    const title = users.length === 1 ? "1 person" : `${users.length} people`;
    const unknown = missing(names, users);
    const absent = unknown.length === 0 ? "" : `There is no user called ${unknown.join(", ")}.`;
    return {
      title,
      news: `${title} found. ${absent}`,
      nodes: [
        heading(title),
        absent === "" ? "" : element("p", { class: "note", dir: "auto" }, absent),
        ...users.map((user) => personView(user, user.status && statusView(user.status, user.lang))),
      ],
    };
  } catch (error) {
    return failureView(error, "Nobody found");
  }
}

/** @param {string[]} names @param {any[]} users */
function missing(names, users) {
  const known = new Set(users.map((user) => user.screen_name.toLowerCase()));
  return names.filter((name) => !known.has(name.toLowerCase()));
}
