import { App } from "./app.js";
import { flushDeletions } from "./known/deletions.js";
import { startSession } from "./known/session.js";
import { learn } from "./known/store.js";
import { html } from "./lib/html.js";
import { render } from "./lib/preact.js";
import { readPlace } from "./rules/place.js";
import { loadView } from "./views.js";

// The address says what is shown: each view is made from it and from who is signed in, so that links, reloads, back and
// forward all work.

/** Milliseconds after which a view that is still loading says so. */
const slowMs = 400;

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
/** @type {import("./app.js").Shown} */
let shown = { place: readPlace(location), view: { title: "", news: "", body: "" }, isBusy: true, isSlow: false };
let current = new AbortController();
/** Where a reader goes whose view is not here yet. @type {{ scroll?: number } | undefined} */
let move;

history.scrollRestoration = "manual";
addEventListener("popstate", (event) => showNext(event.state?.scroll ?? 0));
addEventListener("roost-go", (event) => go(/** @type {CustomEvent} */ (event).detail));
addEventListener("roost-refresh", () => void show("stays"));
addEventListener("online", () => learn({ isOnline: true }));
addEventListener("offline", () => learn({ isOnline: false }));
addEventListener("pagehide", flushDeletions);
document.addEventListener("click", followLink);
void startSession();
void show("begins", history.state?.scroll ?? 0);

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
  learn({ notice: undefined });
  void show("moves", scroll);
}

/**
 * Shows what the address says. A later call cuts an earlier one off.
 * @param {"begins" | "moves" | "stays"} how whether the reader came from another view, and the focus goes to the new heading; or
 *   is to stay where they are, since the same view is only loaded again; the focus goes to the heading then, too, where what had
 *   it is gone
 * @param {number} [scroll]
 */
async function show(how, scroll) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const place = readPlace(location);
  if (how === "moves") move = { scroll };
  draw({ isBusy: true, place });
  const slow = setTimeout(() => draw({ isSlow: true }), slowMs);
  const view = await loadView(place, signal);
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
