import { Timeline } from "../components/timeline.js";
import { html } from "../lib/html.js";
import { appState } from "../state/app-state.js";
import { markMentionsSeen } from "../state/mentions.js";
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

/** The statuses that mention the signed-in user. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showMentions({ shown }, signal) {
  const part = await loadTimeline("SocialMentions", {}, shown, signal);
  if (part === undefined) return showNotFound();
  const seen = (/** @type {string} */ newer) =>
    appState.me !== undefined && markMentionsSeen(appState.me.userId, newer);
  return {
    title: "Mentions",
    announcement: "",
    body: html`
      <h1 tabindex="-1" class="title">Mentions</h1>
      <${Timeline} key="mentions" part=${part} label="Mentions" none="Nobody has mentioned you yet." isFollowed onSeen=${seen} />
    `,
  };
}
