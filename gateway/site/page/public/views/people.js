import { Person } from "../components/person.js";
import { Status } from "../components/status.js";
import { html } from "../lib/html.js";
import { countPeople } from "../rules/count.js";
import { hiddenFromMe } from "../state/relations.js";
import { findUsers } from "../state/users.js";

/** The result of a search: users with their latest status, and the names that no user has. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showPeople({ find }, signal) {
  const [users, { blocked }] = await Promise.all([findUsers(find, signal), hiddenFromMe()]);
  const title = countPeople(users);
  const unknown = missing(find, users);
  const absent = unknown.length === 0 ? "" : `There is no user called ${unknown.join(", ")}.`;
  return {
    title,
    announcement: `${title} found. ${absent}`,
    body: html`
      <h1 tabindex="-1">${title}</h1>
      ${absent && html`<p class="note" dir="auto">${absent}</p>`}
      ${users.map(
        (user) => html`
          <${Person} key=${user.id} user=${user}>
            ${user.status && !blocked.has(user.id) && html`<${Status} status=${user.status} author=${user} />`}
          <//>
        `,
      )}
    `,
  };
}

/** @param {string[]} names @param {any[]} users */
function missing(names, users) {
  const found = new Set(users.map((user) => user.screen_name.toLowerCase()));
  return names.filter((name) => !found.has(name.toLowerCase()));
}
