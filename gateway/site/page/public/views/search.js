import { People } from "../components/people.js";
import { Timeline } from "../components/timeline.js";
import { html } from "../lib/html.js";
import { countPeople } from "../rules/count.js";
import { screenNames, searchHref } from "../rules/route.js";
import { ApiError } from "../state/api.js";
import { listUsers } from "../state/relations.js";
import { loadTimeline, orMissing } from "../state/timelines.js";
import { findUsers } from "../state/users.js";

/** Code points of a search for people (contract §11). */
const maxNameLength = 64;

/** People and statuses that are found. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showSearch({ q, cursor, shown }, signal) {
  if (q === "") return { title: "Search", announcement: "", body: noSearch };
  const [people, part] = await Promise.all([
    searchPeople(q, cursor, signal),
    // The next page of people stands alone.
    cursor === "" ? searchStatuses(q, shown, signal) : undefined,
  ]);
  return {
    title: `Search: ${q}`,
    announcement: people === undefined ? "" : `${countPeople(people.people)} found.`,
    body: html`
      <h1 tabindex="-1" class="title">Search: <span dir="auto">${q}</span></h1>
      ${
        people !== undefined &&
        html`<section aria-labelledby="people-title">
        <h2 id="people-title">People</h2>
        <${People} ...${people} here=${searchHref(q)} none="Nobody of that name." />
      </section>`
      }
      ${part !== undefined && html`<h2>Statuses</h2><${Timeline} key=${q} part=${part} label="Statuses" none="No status has these words." />`}
    `,
  };
}

const noSearch = html`
  <h1 tabindex="-1" class="title">Search</h1>
  <p class="note">Write a name or some words into the field above: people are found by the beginning of a name, statuses by whole words.</p>
`;

/** People by the beginning of a name; by whole names on a gateway that serves no search. Undefined for what is no name. @param {string} q @param {string} cursor @param {AbortSignal} signal */
async function searchPeople(q, cursor, signal) {
  const name = q.replace(/^[@＠]/, "");
  if (/^[#＃]/.test(q) || [...name].length > maxNameLength || name === "") return undefined;
  const found = await listUsers("SearchUsers", { q: name, take: 10, cursor }, signal).catch(orMissing);
  return found ?? { people: await findUsers(screenNames(q), signal), next: "" };
}

/** @param {string} q @param {number} shown @param {AbortSignal} signal */
async function searchStatuses(q, shown, signal) {
  try {
    return await loadTimeline("SearchStatuses", { q }, shown, signal);
  } catch (error) {
    // Signs alone are no words.
    if (error instanceof ApiError && error.status === 400) return { operation: "", fields: {}, statuses: [], next: "" };
    throw error;
  }
}
