import { useEffect, useRef } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { homeHref } from "../rules/route.js";
import { refresh } from "../state/app-state.js";
import { publicPageSize } from "../state/public-timeline.js";
import { Status } from "./status.js";

/** The newest statuses of everybody, with a button that adds older ones. @param {{ statuses: any[], hasMore: boolean, none: any }} props */
export function PublicTimeline({ statuses, hasMore, none }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  /** How many there were when the user asked for more. */
  const had = useRef(/** @type {number | undefined} */ (undefined));
  useEffect(() => {
    if (had.current === undefined || statuses.length <= had.current) return;
    // The first of the new ones: the button has moved away from it.
    list.current?.querySelectorAll("article")[had.current]?.focus();
    had.current = undefined;
  }, [statuses]);
  const showMore = () => {
    had.current = statuses.length;
    history.replaceState(history.state, "", homeHref(statuses.length + publicPageSize));
    refresh();
  };
  return html`
    <section aria-label="The newest">
      <h2>The newest</h2>
      ${
        statuses.length === 0
          ? html`<p class="note">${none}</p>`
          : html`<ol class="statuses" ref=${list}>
          ${statuses.map((status) => html`<li key=${status.id}><${Status} status=${status} author=${status.user} isNamed /></li>`)}
        </ol>`
      }
      ${hasMore && html`<p class="aside"><button type="button" class="quiet" onClick=${showMore}>Show more</button></p>`}
    </section>
  `;
}
