import { App } from "./app.js";
import { html } from "./lib/html.js";
import { render } from "./lib/preact.js";
import { readRoute } from "./rules/route.js";
import { changeState } from "./state/app-state.js";
import { flushDeletions } from "./state/deletions.js";
import { startSession } from "./state/session.js";
import { loadView } from "./views.js";

// A view depends on the address and the signed-in user alone, so links, reloads, back and forward all work.

/** Milliseconds until "Loading…" is shown. */
const slowMs = 400;

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
/** @type {import("./app.js").Shown} */
let shown = {
  route: readRoute(location),
  view: { title: "", announcement: "", body: "" },
  isBusy: true,
  isSlow: false,
};
let current = new AbortController();
/** A navigation whose view is still loading, with the position to scroll to. @type {{ scroll?: number } | undefined} */
let move;

history.scrollRestoration = "manual";
addEventListener("popstate", (event) => showNext(event.state?.scroll ?? 0));
addEventListener("roost-go", (event) => go(/** @type {CustomEvent} */ (event).detail));
addEventListener("roost-refresh", () => void show("refresh"));
addEventListener("online", () => {
  changeState({ isOnline: true });
  if (shown.view.canTryAgain) void show("refresh");
});
addEventListener("offline", () => changeState({ isOnline: false }));
addEventListener("pagehide", flushDeletions);
document.addEventListener("click", followLink);
void startSession();
void show("load", history.state?.scroll ?? 0);

/**
 * Goes to an address of this page without loading it again.
 * @param {string} href
 */
function go(href) {
  history.replaceState({ scroll: scrollY }, "");
  history.pushState(null, "", href);
  showNext(0);
}

/** @param {number} scroll */
function showNext(scroll) {
  changeState({ notice: undefined });
  void show("navigate", scroll);
}

/**
 * Shows the view of the address. A later call aborts an earlier one.
 * @param {"load" | "navigate" | "refresh"} how a navigation moves the focus to the new heading. A first load and a refresh leave it
 *   where it is, unless its element was removed: then the heading gets it
 * @param {number} [scroll]
 */
async function show(how, scroll) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const route = readRoute(location);
  if (how === "navigate") move = { scroll };
  draw({ isBusy: true, route });
  const slow = setTimeout(() => draw({ isSlow: true }), slowMs);
  const view = await loadView(route, signal);
  clearTimeout(slow);
  if (signal.aborted) return;
  if (view.href !== undefined) {
    history.replaceState(null, "", view.href);
    return show(how, scroll);
  }
  const hadFocus = document.activeElement !== document.body;
  draw({ view, isBusy: false, isSlow: false });
  document.title = view.title === "" ? "Roost" : `${view.title} – Roost`;
  const isLost = hadFocus && document.activeElement === document.body;
  if (move !== undefined || isLost) document.querySelector("main h1")?.focus({ preventScroll: true });
  const top = move?.scroll ?? scroll;
  if (top !== undefined) scrollTo(0, top);
  move = undefined;
}

/** @param {Partial<import("./app.js").Shown>} part */
function draw(part) {
  shown = { ...shown, ...part };
  render(html`<${App} ...${shown} />`, root);
}

/** @param {MouseEvent} event */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (link === null || !plain || link.origin !== location.origin || link.target !== "" || link.hash !== "") return;
  if (link.hasAttribute("data-outside")) return;
  event.preventDefault();
  go(link.href);
}
