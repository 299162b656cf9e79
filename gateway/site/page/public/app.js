import { html } from "./lib/html.js";
import { Header } from "./parts/header.js";
import { Notices } from "./parts/notices.js";

/**
 * @typedef {{ place: import("./rules/place.js").Place, view: import("./views.js").View, isBusy: boolean, isSlow: boolean }} Shown
 */

/** The frame around every view. @param {Shown} shown */
export function App({ place, view, isBusy, isSlow }) {
  return html`
    <a class="skip" href="#content">Skip to the content</a>
    <${Header} place=${place} />
    <${Notices} />
    <p id="news" class="hidden" role="status">${isSlow ? "Loading…" : isBusy ? "" : view.news}</p>
    ${isSlow && html`<p class="loading" aria-hidden="true">Loading…</p>`}
    <main id="content" tabindex="-1" aria-busy=${isBusy ? "true" : undefined}>${view.body}</main>
    <footer>
      <nav aria-label="About Roost">
        <a data-outside href="/docs">Reference</a>
        <a data-outside href="/metadata">Operations</a>
        <a data-outside href="/openapi.json">OpenAPI</a>
      </nav>
    </footer>
  `;
}
