import { html } from "../lib/html.js";

const pages = {
  settings: "Profile",
  "settings/account": "Account",
  "settings/blocks": "Blocked",
  "settings/mutes": "Muted",
};

/** The links between the pages of the settings. @param {{ view: string }} props */
export function SettingsNav({ view }) {
  return html`
    <nav aria-label="Settings">
      <ul class="ways tabs">
        ${Object.entries(pages).map(
          ([page, title]) =>
            html`<li><a href=${`/${page}`} aria-current=${page === view ? "page" : undefined}>${title}</a></li>`,
        )}
      </ul>
    </nav>
  `;
}
