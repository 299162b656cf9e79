import { html } from "../lib/html.js";

/** Links between pages that belong together. @param {{ label: string, pages: Record<string, string>, here: string }} props pages: texts by address */
export function Tabs({ label, pages, here }) {
  return html`
    <nav class="tabs" aria-label=${label}>
      <ul>
        ${Object.entries(pages).map(
          ([href, text]) =>
            html`<li><a href=${href} aria-current=${href === here ? "page" : undefined}>${text}</a></li>`,
        )}
      </ul>
    </nav>
  `;
}

const pages = {
  "/settings": "Profile",
  "/settings/account": "Account",
  "/settings/blocks": "Blocked",
  "/settings/mutes": "Muted",
};

/** The links between the pages of the settings. @param {{ view: string }} props */
export function SettingsTabs({ view }) {
  return html`<${Tabs} label="Settings" pages=${pages} here=${`/${view}`} />`;
}
