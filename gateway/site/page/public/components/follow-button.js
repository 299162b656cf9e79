import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { changeRelation } from "../state/relations.js";
import { Action } from "./action.js";

/**
 * A button that follows a user, or ends that. While the user is followed it says so, and under the pointer or with the focus what it does.
 * @param {{ user: any, label?: string }} props label: its name where several stand in a list
 */
export function FollowButton({ user: given, label }) {
  // As the reply to the change shows the user, before the view is loaded again.
  const [user, setUser] = useState(given);
  useEffect(() => setUser(given), [given]);
  const { screen_name: screenName, following, follow_request_sent: asked } = user;
  const isOn = following || asked;
  const act = async () => setUser(await changeRelation("FollowUser", { screenName, following: !isOn }));
  return html`
    <${Action} isQuiet=${isOn} label=${isOn ? undefined : label} act=${act} done=${noticeOf(user)}>
      ${
        isOn
          ? html`<span class="is">${following ? "Following" : "Requested"}</span
            ><span class="does">${following ? "Unfollow" : "Take back"}</span>`
          : "Follow"
      }
    <//>
  `;
}

/** @param {any} user */
function noticeOf({ screen_name: name, following, follow_request_sent: asked, protected: isProtected }) {
  if (following) return `You do not follow @${name} any more.`;
  if (asked) return "Your request is taken back.";
  return isProtected ? `@${name} has been asked.` : `You follow @${name}.`;
}
