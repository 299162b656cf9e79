import { Composer } from "./components/composer.js";
import { Dialog } from "./components/dialog.js";
import { Header } from "./components/header.js";
import { Icon } from "./components/icon.js";
import { StatusText } from "./components/texts.js";
import { html } from "./lib/html.js";
import { signInHref } from "./rules/route.js";
import { changeState, useAppState } from "./state/app-state.js";

/**
 * @typedef {{ route: import("./rules/route.js").Route, view: import("./views.js").View, isBusy: boolean, isSlow: boolean }} Shown
 */

/** The frame around every view: header, notices, footer, the dialog to write. @param {Shown} shown */
export function App({ route, view, isBusy, isSlow }) {
  return html`
    <a class="skip" href="#content">Skip to the content</a>
    <${Header} route=${route} />
    <p id="news" class="hidden" role="status">${isSlow ? "Loading…" : isBusy ? "" : view.announcement}</p>
    ${isSlow && html`<p class="loading" aria-hidden="true">Loading…</p>`}
    <main id="content" tabindex="-1" aria-busy=${isBusy ? "true" : undefined}>${view.body}</main>
    <footer>
      <nav aria-label="About Roost">
        <a data-outside href="/docs">Reference</a>
        <a data-outside href="/metadata">Operations</a>
        <a data-outside href="/openapi.json">OpenAPI</a>
      </nav>
    </footer>
    <${Notices} />
    <${WriteDialog} />
  `;
}

/** Notices at the lower edge of the window: no network, a session that ended elsewhere, the result of an action whose control is gone. */
function Notices() {
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

/** The dialog for a new status or a reply, where one is open. */
function WriteDialog() {
  const { me, writing } = useAppState();
  if (me === undefined || writing === undefined) return undefined;
  const { reply } = writing;
  const close = () => changeState({ writing: undefined });
  return html`
    <${Dialog} title=${reply === undefined ? "New status" : "Reply"} cancel="Close" close=${close}>
      ${
        reply !== undefined &&
        html`<blockquote>
        <p class="name" dir="auto">${reply.author.name || reply.author.screen_name}</p>
        <${StatusText} status=${reply.status} lang=${reply.author.lang} />
      </blockquote>`
      }
      <${Composer} key=${me.userId} reply=${reply} isInDialog />
    <//>
  `;
}
