import { Timeline } from "../components/timeline.js";
import { html } from "../lib/html.js";
import { loadTimeline } from "../state/timelines.js";
import { showNotFound } from "./failure.js";

/** The statuses that the signed-in user has marked, the newest mark first. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showFavourites({ shown }, signal) {
  const part = await loadTimeline("SocialFavorites", {}, shown, signal);
  if (part === undefined) return showNotFound();
  return {
    title: "Favourites",
    announcement: "",
    body: html`
      <h1 tabindex="-1" class="title">Favourites</h1>
      <${Timeline} key="favourites" part=${part} label="Favourites" none="Nothing yet. What you mark with the star is here, and only you see it." />
    `,
  };
}
