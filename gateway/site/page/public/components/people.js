import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { personHref } from "../rules/route.js";
import { Avatar } from "./avatar.js";
import { FollowButton } from "./follow-button.js";
import { Handle } from "./profile.js";
import { UserText } from "./texts.js";

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

/** A user in a list, with a link to their page. @param {{ user: any, children?: any }} props children: actions */
export function PersonRow({ user, children }) {
  const href = personHref(user.screen_name);
  return html`
    <div class="person">
      <a class="face" href=${href} tabindex="-1" aria-hidden="true"><${Avatar} user=${user} /></a>
      <div class="who">
        <a href=${href} class="name" dir="auto">${user.name || user.screen_name}</a>
        <${Handle} user=${user} />
        ${user.description && html`<${UserText} tag="p" class="description" lang=${user.lang}>${user.description}<//>`}
      </div>
      ${children && html`<div class="acts">${children}</div>`}
    </div>
  `;
}

/** Users whom a new user could follow. They stay while the view is shown, also those who are followed now. @param {{ users: any[] }} props */
export function Suggestions({ users }) {
  const [shown, setShown] = useState(users);
  useEffect(() => {
    if (shown.length === 0) setShown(users);
  }, [users]);
  if (shown.length === 0) return undefined;
  return html`
    <section class="suggestions" aria-labelledby="suggestions-title">
      <h2 id="suggestions-title">Whom to follow</h2>
      <ul class="people">
        ${shown.map(
          (user) => html`<li key=${user.id}>
            <${PersonRow} user=${user}><${FollowButton} user=${user} label=${`Follow @${user.screen_name}`} /><//>
          </li>`,
        )}
      </ul>
    </section>
  `;
}
