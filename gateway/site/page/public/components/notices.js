import { html } from "../lib/html.js";
import { signInHref } from "../rules/route.js";
import { changeState, useAppState } from "../state/app-state.js";

/** Notices above every view: no network, a session that ended elsewhere, the result of an action whose control is gone. */
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
          You are signed out: your session has ended. <a href=${signInHref()}>Sign in again</a>; what you wrote is still here.
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
      <span dir="auto">${text}</span> <button type="button" class="quiet" onClick=${close}>Close</button>
    </p>
  `;
}
