import { Header } from "./components/header.js";
import { Notices } from "./components/notices.js";
import { WriteDialog } from "./components/write-dialog.js";
import { html } from "./lib/html.js";

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
