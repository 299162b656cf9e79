import { html } from "../lib/html.js";
import { signInHref } from "../rules/route.js";
import { changeState, useAppState } from "../state/app-state.js";
import { Icon } from "./icon.js";

/** Notices at the lower edge of the window: no network, a session that ended elsewhere, the result of an action whose control is gone. */
export function Notices() {
  const { isOnline, wasSignedOut, notice: said } = useAppState();
  const notice = said?.control === undefined ? said : undefined;
  return html`
    <div class="notices">
      <div role="status">
        ${!isOnline && html`<p class="notice">You are offline. What you write stays on this device until you send it.</p>`}
        ${
          wasSignedOut &&
          html`<p class="notice">
          <span>You are signed out: your session has ended. <a href=${signInHref()}>Sign in again</a>; what you wrote is still here.</span>
        </p>`
        }
        ${notice !== undefined && !notice.isWrong && html`<${Line} ...${notice} />`}
      </div>
      <div role="alert">${notice?.isWrong && html`<${Line} ...${notice} />`}</div>
    </div>
  `;
}

/** @param {{ text: string, isWrong: boolean }} props */
function Line({ text, isWrong }) {
  const close = () => {
    changeState({ notice: undefined });
    document.getElementById("content")?.focus({ preventScroll: true });
  };
  return html`
    <p class=${isWrong ? "notice wrong" : "notice"}>
      <span dir="auto">${text}</span>
      <button type="button" class="icon-button" aria-label="Close" title="Close" onClick=${close}><${Icon} name="close" /></button>
    </p>
  `;
}
