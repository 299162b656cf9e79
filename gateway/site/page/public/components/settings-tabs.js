import { html } from "../lib/html.js";
import { Tabs } from "./tabs.js";

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
