import { html } from "../lib/html.js";
import { personHref } from "../rules/route.js";
import { Avatar } from "./avatar.js";
import { Handle } from "./profile.js";
import { UserText } from "./user-text.js";

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
