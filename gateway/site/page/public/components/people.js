import { html } from "../lib/html.js";
import { PersonRow } from "./person-row.js";

/**
 * One page of a list of users, with a link to the next.
 * @param {{ people: any[], next: string, here: string, none: string, actions?: (user: any) => any }} props here: address of the first page
 */
export function People({ people, next, here, none, actions }) {
  const isElsewhere = location.search.includes("cursor=");
  return html`
    ${
      people.length === 0
        ? html`<p class="note">${none}</p>`
        : html`<ul class="people">
          ${people.map((user) => html`<li key=${user.id}><${PersonRow} user=${user}>${actions?.(user)}<//></li>`)}
        </ul>`
    }
    ${
      (isElsewhere || next !== "") &&
      html`<nav class="pages" aria-label="Pages of this list">
      ${isElsewhere && html`<a href=${here}>First page</a>`}
      ${next !== "" && html`<a class="older" rel="next" href=${nextHref(here, next)}>More</a>`}
    </nav>`
    }
  `;
}

/** @param {string} here @param {string} cursor */
function nextHref(here, cursor) {
  return `${here}${here.includes("?") ? "&" : "?"}${new URLSearchParams({ cursor })}`;
}
