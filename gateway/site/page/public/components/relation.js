import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { changeRelation, loadHidden } from "../state/relations.js";
import { Action } from "./action.js";
import { Report } from "./report.js";

/** The actions on another user: follow, and under "More" the others. @param {{ user: any }} props */
export function Relation({ user }) {
  const { isBlocked, isMuted } = useHidden(user);
  const [isReporting, setReporting] = useState(false);
  const screenName = user.screen_name;
  return html`
    <div class="relation">
      ${isBlocked ? html`<p class="soft">You have blocked @${screenName}.</p>` : html`<${FollowButton} user=${user} />`}
      <details class="more">
        <summary>More</summary>
        <ul>
          <li>
            <${Action}
              isQuiet
              act=${() => changeRelation("MuteUser", { screenName, muted: !isMuted })}
              done=${isMuted ? `@${screenName} is not muted any more.` : `@${screenName} is muted.`}
              >${isMuted ? "Unmute" : "Mute"}<//
            >
          </li>
          <li>
            <${Action}
              isQuiet
              act=${() => changeRelation("BlockUser", { screenName, blocked: !isBlocked })}
              done=${isBlocked ? `@${screenName} is not blocked any more.` : `@${screenName} is blocked.`}
              >${isBlocked ? "Unblock" : "Block"}<//
            >
          </li>
          <li><button type="button" class="quiet" onClick=${() => setReporting(true)}>Report…</button></li>
        </ul>
      </details>
      ${isReporting && html`<${Report} user=${user} close=${() => setReporting(false)} />`}
    </div>
  `;
}

/** @param {{ user: any }} props */
function FollowButton({ user }) {
  const { screen_name: screenName, following, follow_request_sent: asked } = user;
  const isOn = following || asked;
  return html`
    <${Action}
      isQuiet=${isOn}
      isOn=${isOn}
      act=${() => changeRelation("FollowUser", { screenName, following: !isOn })}
      done=${noticeOf(user)}
      >${following ? "Following" : asked ? "Asked to follow" : "Follow"}<//
    >
  `;
}

/** @param {any} user */
function noticeOf({ screen_name: name, following, follow_request_sent: asked, protected: isProtected }) {
  if (following) return `You do not follow @${name} any more.`;
  if (asked) return "Your request is taken back.";
  return isProtected ? `@${name} has been asked.` : `You follow @${name}.`;
}

/** Whether the signed-in user blocks or mutes a user; false until that is loaded. @param {any} user */
function useHidden(user) {
  const [hidden, setHidden] = useState({ isBlocked: false, isMuted: false });
  useEffect(() => {
    loadHidden().then(
      ({ blocked, muted }) => setHidden({ isBlocked: blocked.has(user.id), isMuted: muted.has(user.id) }),
      () => {},
    );
  }, [user]);
  return hidden;
}
