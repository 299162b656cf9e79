import { Action } from "../components/action.js";
import { People } from "../components/people.js";
import { SettingsTabs } from "../components/tabs.js";
import { html } from "../lib/html.js";
import { countPeople } from "../rules/count.js";
import { changeRelation, listUsers } from "../state/relations.js";

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

/** The users whom the signed-in user blocks, or mutes, each with a button to undo it. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showBlocksAndMutes({ view, cursor }, signal) {
  const { title, operation, undo, change } = lists[/** @type {keyof typeof lists} */ (view)];
  const page = await listUsers(operation, { take: 50, cursor }, signal);
  const actions = (/** @type {any} */ { screen_name: name }) => html`
    <${Action} isQuiet act=${() => change(name)} label=${`${undo} @${name}`}>${undo}<//>
  `;
  return {
    title,
    announcement: countPeople(page.people),
    body: html`
      <${SettingsTabs} view=${view} />
      <h1 tabindex="-1" class="title">${title}</h1>
      <${People} ...${page} here=${`/${view}`} none="No one." actions=${actions} />
    `,
  };
}
