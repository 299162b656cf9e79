import { showAccount } from "./account-view.js";
import { startFindForm } from "./find-form.js";
import { showPeople } from "./people-view.js";
import { readPlace } from "./place.js";
import { showTimeline } from "./timeline-view.js";

// The address says what is shown: each view is made from it alone, so that links, reloads, back and forward all work.

const main = /** @type {HTMLElement} */ (document.getElementById("content"));
const news = /** @type {HTMLElement} */ (document.getElementById("news"));
let current = new AbortController();

history.scrollRestoration = "manual";
const find = startFindForm(go);
addEventListener("popstate", (event) => void show(true, event.state?.scroll ?? 0));
document.addEventListener("click", followLink);
void show(false, history.state?.scroll ?? 0);

/**
 * Goes to an address of this page without loading it again.
 * @param {string} href
 */
function go(href) {
  rememberScroll();
  history.pushState(null, "", href);
  void show(true, 0);
}

/**
 * Shows what the address says. A later call cuts an earlier one off.
 * @param {boolean} moves whether the reader came from another view: the focus goes to the new heading then
 * @param {number} scroll
 */
async function show(moves, scroll) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const place = readPlace(location.search);
  find.fill(place);
  main.setAttribute("aria-busy", "true");
  const view = await viewOf(place, signal);
  if (signal.aborted) return;
  main.replaceChildren(...view.nodes);
  main.removeAttribute("aria-busy");
  document.title = view.title === "" ? "Roost" : `${view.title} – Roost`;
  news.textContent = view.news;
  if (moves) main.querySelector("h1")?.focus({ preventScroll: true });
  scrollTo(0, scroll);
}

/** @param {import("./place.js").Place} place @param {AbortSignal} signal */
function viewOf(place, signal) {
  if (place.user !== undefined) return showTimeline({ ...place, user: place.user }, signal);
  return place.find.length > 0 ? showPeople(place.find, signal) : showAccount();
}

/** @param {MouseEvent} event */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (link === null || !plain || link.origin !== location.origin || link.pathname !== "/" || link.hash !== "") return;
  event.preventDefault();
  go(link.href);
}

function rememberScroll() {
  history.replaceState({ scroll: scrollY }, "");
}
