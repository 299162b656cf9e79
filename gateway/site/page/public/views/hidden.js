import { changeRelation, listPeople } from "../known/relations.js";
import { html } from "../lib/html.js";
import { Action } from "../parts/action.js";
import { People } from "../parts/people.js";
import { SettingsNav } from "../parts/settings-nav.js";
import { countPeople } from "../rules/count.js";

const lists = {
  "settings/blocks": {
    title: "People you have blocked",
    operation: "SocialBlocks",
    undo: "Unblock",
    change: (/** @type {string} */ screenName) => changeRelation("BlockUser", { screenName, blocked: false }),
  },
  "settings/mutes": {
    title: "People you have muted",
    operation: "SocialMutes",
    undo: "Unmute",
    change: (/** @type {string} */ screenName) => changeRelation("MuteUser", { screenName, muted: false }),
  },
};

/** Whom the reader has blocked, or muted, each with the way back. @param {import("../rules/place.js").Place} place @param {AbortSignal} signal */
export async function showHidden({ view, cursor }, signal) {
  const { title, operation, undo, change } = lists[/** @type {keyof typeof lists} */ (view)];
  const page = await listPeople(operation, { take: 50, cursor }, signal);
  const actions = (/** @type {any} */ { screen_name: name }) => html`
    <p><${Action} isQuiet act=${() => change(name)} label=${`${undo} @${name}`}>${undo}<//></p>
  `;
  return {
    title,
    news: countPeople(page.people),
    body: html`
      <${SettingsNav} view=${view} />
      <h1 tabindex="-1">${title}</h1>
      <${People} ...${page} here=${`/${view}`} none="No one." actions=${actions} />
    `,
  };
}
