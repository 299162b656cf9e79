import { useEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { errorText } from "../rules/error-text.js";
import { shownHref } from "../rules/route.js";
import { ApiError } from "../state/api.js";
import { appState, notify } from "../state/app-state.js";
import { followNews } from "../state/news.js";
import { keyOf, loadMore, loadTimeline, pageSize } from "../state/timelines.js";
import { Said, useControl } from "./said.js";
import { Status } from "./status.js";

/**
 * A timeline: its statuses, a button that adds what follows, and, where it is followed, one that shows what is new.
 * @param {{ part: import("../state/timelines.js").Part, label: string, none: any, isFollowed?: boolean, onSeen?: (newer: string) => void }} props
 *   onSeen: told the point up to which the statuses are shown
 */
export function Timeline({ part, label, none, isFollowed = false, onSeen }) {
  const { shown, next, count, isBehind, list, control, showNews, showMore } = useTimeline(part, isFollowed, onSeen);
  return html`
    <section class="timeline" aria-label=${label}>
      ${isFollowed && html`<${News} count=${count} isBehind=${isBehind} show=${showNews} />`}
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
  const [lists, setLists] = useState(() => listsOf(part));
  const [isBehind, setBehind] = useState(false);
  const control = useControl();
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  /** The key of the status that gets the focus when it is shown. */
  const wanted = useRef(/** @type {number | undefined} */ (undefined));
  /** Whether the focus was in the list when it was read anew. */
  const hadFocus = useRef(false);
  const latest = useRef(lists);
  latest.current = lists;
  useEffect(() => {
    // Loaded again after a write: it shows what is new, too.
    setLists(listsOf(part));
    if (!part.newer) return;
    onSeen?.(part.newer);
    if (!isFollowed) return;
    const followed = { ...part, newer: part.newer };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let rereading;
    const readSoon = (/** @type {number} */ delay) => {
      rereading ??= setTimeout(() => void readAnew(), delay);
    };
    const readAnew = async () => {
      const before = latest.current;
      const size = before.shown.length + before.news.length;
      const now = await loadTimeline(part.operation, part.fields, size, ended.signal).catch(() => undefined);
      rereading = undefined;
      if (ended.signal.aborted) return;
      if (now === undefined) return readSoon(rereadMs * 10);
      hadFocus.current = list.current?.contains(document.activeElement) ?? false;
      setLists((lists) => renewed(lists, before, now));
    };
    const ended = new AbortController();
    const stop = followNews(followed, {
      onStatuses: (statuses, newer) => setLists((lists) => withNews(lists, statuses, newer)),
      // Many pages are told at the same time.
      onReset: () => readSoon(Math.random() * rereadMs),
      onBehind: setBehind,
    });
    return () => {
      ended.abort();
      clearTimeout(rereading);
      stop();
    };
  }, [part]);
  useEffect(() => {
    const isLost = hadFocus.current && document.activeElement === document.body;
    if (isLost) document.querySelector("main h1")?.focus({ preventScroll: true });
    hadFocus.current = false;
    if (wanted.current === undefined) return;
    list.current?.querySelectorAll("article")[wanted.current]?.focus({ preventScroll: wanted.current === 0 });
    wanted.current = undefined;
  }, [lists.shown]);

  const { shown, next, news, newer } = lists;
  const showNews = () => {
    wanted.current = 0;
    setLists({ ...lists, shown: withoutRepeats([...news, ...shown]), news: [] });
    onSeen?.(newer);
    scrollTo(0, 0);
  };
  const showMore = async () => {
    try {
      const more = await loadMore({ ...part, next }, pageSize);
      // The first of them: the button moves away from it.
      wanted.current = shown.length;
      const all = withoutRepeats([...shown, ...more.statuses]);
      setLists((lists) => ({ ...lists, shown: all, next: more.next }));
      history.replaceState(history.state, "", shownHref(all.length));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notify(`That did not work. ${errorText(error)}`, true, control);
    }
  };
  const myId = appState.me?.userId;
  const count = news.filter(({ user }) => user.id !== myId).length;
  return { shown, next, count, isBehind, list, control, showNews, showMore };
}

/** Milliseconds in which a timeline is read anew. */
const rereadMs = 1_000;

/**
 * What is shown of a timeline, and what is new in it; `next` and `newer` are the cursors after both ends.
 * @typedef {{ shown: any[], next: string, news: any[], newer: string }} Lists
 */

/** @param {import("../state/timelines.js").Part} part @returns {Lists} */
function listsOf({ statuses, next, newer = "" }) {
  return { shown: statuses, next, news: [], newer };
}

/** @param {Lists} lists @param {any[]} statuses @param {string} newer @returns {Lists} */
function withNews(lists, statuses, newer) {
  // A timeline that was read anew may have had them already.
  const known = keysOf([...lists.news, ...lists.shown]);
  return { ...lists, news: [...statuses.filter((status) => !known.has(keyOf(status))), ...lists.news], newer };
}

/**
 * The lists after the timeline was read anew. What was not shown before stays news, so nothing is put above what is being read.
 * @param {Lists} lists @param {Lists} before the lists when it was asked for @param {import("../state/timelines.js").Part} now
 * @returns {Lists}
 */
function renewed(lists, before, { statuses, next }) {
  const wasShown = keysOf(lists.shown);
  const top = Math.max(
    statuses.findIndex((status) => wasShown.has(keyOf(status))),
    0,
  );
  const known = keysOf([...statuses, ...before.news]);
  const since = lists.news.filter((status) => !known.has(keyOf(status)));
  return { ...lists, shown: statuses.slice(top), next, news: [...since, ...statuses.slice(0, top)] };
}

/** @param {any[]} statuses */
function keysOf(statuses) {
  return new Set(statuses.map(keyOf));
}

/** @param {any[]} statuses */
function withoutRepeats(statuses) {
  return [...new Map(statuses.map((status) => [keyOf(status), status])).values()];
}
