import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { errorText } from "../rules/error-text.js";
import { ApiError } from "../state/api.js";
import { notify, refresh } from "../state/app-state.js";
import { changeRelation, loadHidden } from "../state/relations.js";
import { Action } from "./action.js";
import { FollowButton } from "./follow-button.js";
import { Icon } from "./icon.js";
import { Menu } from "./menu.js";
import { Report } from "./report.js";
import { Said, useControl } from "./said.js";

/** The actions on another user: one button for what is most likely wanted, and a menu with the others. @param {{ user: any }} props */
export function Relation({ user }) {
  const [hidden, load] = useHidden(user);
  const [isReporting, setReporting] = useState(false);
  const control = useControl();
  const screenName = user.screen_name;
  useEffect(load, [user]);
  const report = { text: "Report…", icon: "report", act: () => setReporting(true) };
  return html`
    <div class="relation">
      ${
        hidden.isBlocked
          ? html`<${Action} act=${() => changeRelation("BlockUser", { screenName, blocked: false })} done=${`@${screenName} is not blocked any more.`}>Unblock<//>`
          : html`<${FollowButton} user=${user} />`
      }
      <${Menu} label="More" class="icon-button framed" items=${[...hidingItems(user, hidden, control), report]}><${Icon} name="more" /><//>
      <${Said} control=${control} />
      ${isReporting && html`<${Report} user=${user} close=${() => setReporting(false)} />`}
    </div>
  `;
}

/** The items that mute and block a user, or undo it. @param {any} user @param {{ isBlocked: boolean, isMuted: boolean }} hidden @param {string} control where the result is said */
export function hidingItems({ screen_name: screenName }, { isBlocked, isMuted }, control) {
  const item = (
    /** @type {string} */ text,
    /** @type {string} */ icon,
    /** @type {() => Promise<unknown>} */ change,
    /** @type {string} */ done,
  ) => ({
    text,
    icon,
    act: () => changeAndSay(change, done, control),
  });
  return [
    item(
      `${isMuted ? "Unmute" : "Mute"} @${screenName}`,
      "mute",
      () => changeRelation("MuteUser", { screenName, muted: !isMuted }),
      `@${screenName} is ${isMuted ? "not muted any more" : "muted"}.`,
    ),
    item(
      `${isBlocked ? "Unblock" : "Block"} @${screenName}`,
      "block",
      () => changeRelation("BlockUser", { screenName, blocked: !isBlocked }),
      `@${screenName} is ${isBlocked ? "not blocked any more" : "blocked"}.`,
    ),
  ];
}

/** @param {() => Promise<unknown>} change @param {string} done @param {string} control */
async function changeAndSay(change, done, control) {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return notify(`That did not work. ${errorText(error)}`, true, control);
  }
  notify(done, false, control);
  refresh();
}

/**
 * Whether the signed-in user blocks or mutes a user, and what loads it; false until then.
 * @param {any} user @returns {[{ isBlocked: boolean, isMuted: boolean }, () => void]}
 */
export function useHidden({ id }) {
  const [hidden, setHidden] = useState({ isBlocked: false, isMuted: false });
  const load = () => {
    loadHidden().then(
      ({ blocked, muted }) => setHidden({ isBlocked: blocked.has(id), isMuted: muted.has(id) }),
      () => {},
    );
  };
  return [hidden, load];
}
