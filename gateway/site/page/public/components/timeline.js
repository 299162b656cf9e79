import { useEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { errorText } from "../rules/error-text.js";
import { shownHref } from "../rules/route.js";
import { ApiError } from "../state/api.js";
import { notify } from "../state/app-state.js";
import { followNews } from "../state/news.js";
import { keyOf, loadMore, pageSize } from "../state/timelines.js";
import { Said, useControl } from "./said.js";
import { Status } from "./status.js";

/**
 * A timeline: its statuses, a button that adds what follows, and, where it is followed, one that shows what is new.
 * @param {{ part: import("../state/timelines.js").Part, label: string, none: any, isFollowed?: boolean, onSeen?: (newer: string) => void }} props
 *   onSeen: told the point up to which the statuses are shown
 */
export function Timeline({ part, label, none, isFollowed = false, onSeen }) {
  const { shown, next, news, isBehind, list, control, showNews, showMore } = useTimeline(part, isFollowed, onSeen);
  return html`
    <section class="timeline" aria-label=${label}>
      ${isFollowed && html`<${News} count=${news.length} isBehind=${isBehind} show=${showNews} />`}
      ${
        shown.length === 0
          ? html`<p class="note">${none}</p>`
          : html`<ol class="statuses" ref=${list}>
          ${shown.map((status) => html`<li key=${keyOf(status)}><${Status} status=${status} author=${status.user} /></li>`)}
        </ol>`
      }
      <p class="end">
        ${next !== "" && html`<button type="button" class="quiet" onClick=${showMore}>Show more</button>`}
        <${Said} control=${control} />
      </p>
    </section>
  `;
}

/** Says how many statuses are new, over the list: nothing moves until they are wanted. @param {{ count: number, isBehind: boolean, show: () => void }} props */
function News({ count, isBehind, show }) {
  return html`
    <div class="news">
      ${count > 0 && html`<button type="button" class="small" onClick=${show}>${count} new</button>`}
      <p class=${isBehind && count === 0 ? "behind" : "hidden"} role="status">
        ${count > 0 ? `${count} new` : isBehind ? "The server does not answer. Trying again…" : ""}
      </p>
    </div>
  `;
}

/** @param {import("../state/timelines.js").Part} part @param {boolean} isFollowed @param {((newer: string) => void) | undefined} onSeen */
function useTimeline(part, isFollowed, onSeen) {
  const [{ shown, next }, setShown] = useState({ shown: part.statuses, next: part.next });
  const [{ news, newer }, setNews] = useState(noNews);
  const [isBehind, setBehind] = useState(false);
  const control = useControl();
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  /** The key of the status that gets the focus when it is shown. */
  const wanted = useRef(/** @type {number | undefined} */ (undefined));
  useEffect(() => {
    // Loaded again after a write: it shows what is new, too.
    setShown({ shown: part.statuses, next: part.next });
    setNews(noNews);
    if (!part.newer) return;
    onSeen?.(part.newer);
    if (!isFollowed) return;
    const onStatuses = (/** @type {any[]} */ statuses, /** @type {string} */ newer) =>
      setNews(({ news }) => ({ news: [...statuses, ...news], newer }));
    return followNews({ ...part, newer: part.newer }, { onStatuses, onBehind: setBehind });
  }, [part]);
  useEffect(() => {
    if (wanted.current === undefined) return;
    list.current?.querySelectorAll("article")[wanted.current]?.focus({ preventScroll: wanted.current === 0 });
    wanted.current = undefined;
  }, [shown]);

  const showNews = () => {
    wanted.current = 0;
    setShown({ shown: withoutRepeats([...news, ...shown]), next });
    setNews(noNews);
    onSeen?.(newer);
    scrollTo(0, 0);
  };
  const showMore = async () => {
    try {
      const more = await loadMore({ ...part, next }, pageSize);
      // The first of them: the button moves away from it.
      wanted.current = shown.length;
      const all = withoutRepeats([...shown, ...more.statuses]);
      setShown({ shown: all, next: more.next });
      history.replaceState(history.state, "", shownHref(all.length));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notify(`That did not work. ${errorText(error)}`, true, control);
    }
  };
  return { shown, next, news, isBehind, list, control, showNews, showMore };
}

const noNews = { news: /** @type {any[]} */ ([]), newer: "" };

/** @param {any[]} statuses */
function withoutRepeats(statuses) {
  return [...new Map(statuses.map((status) => [keyOf(status), status])).values()];
}
