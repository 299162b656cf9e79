import { Profile } from "../components/profile.js";
import { Relation } from "../components/relation.js";
import { Status } from "../components/status.js";
import { html } from "../lib/html.js";
import { count } from "../rules/count.js";
import { personHref, signInHref } from "../rules/route.js";
import { ApiError } from "../state/api.js";
import { appState } from "../state/app-state.js";
import { hiddenFromMe } from "../state/relations.js";
import { loadPage } from "../state/timeline-page.js";
import { findUsers } from "../state/users.js";

/** A user's profile and a page of the timeline. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showPerson(route, signal) {
  const name = route.user ?? "";
  const [[user], page, { blocked }] = await Promise.all([
    findUsers([name], signal),
    loadPage({ ...route, user: name }, signal).catch((/** @type {unknown} */ error) => error),
    hiddenFromMe(),
  ]);
  // A lookup leaves out suspended and unknown users; the timeline's error tells which it is.
  if (user === undefined) throw page instanceof ApiError ? page : new ApiError(404, {});
  const refused = refusalOf(user, page) ?? (blocked.has(user.id) ? blockedText : undefined);
  const isMine = user.id === appState.me?.userId;
  return {
    title: `${user.name || user.screen_name} (@${user.screen_name})`,
    announcement: refused ?? announcementOf(page, user),
    body: html`
      <${Profile} user=${user}>
        ${isMine ? html`<div class="relation"><a class="button quiet small" href="/settings">Edit profile</a></div>` : mainAction(user)}
      <//>
      ${refused === undefined ? html`<${Timeline} route=${route} user=${user} page=${page} />` : html`<p class="note">${refused}</p>`}
    `,
  };
}

/** The main button on the profile of another user: a stranger has to sign in first. @param {any} user */
function mainAction(user) {
  if (appState.me !== undefined) return html`<${Relation} key=${user.id} user=${user} />`;
  return (
    appState.canSignIn &&
    html`<div class="relation"><a class="button small" href=${signInHref()}>Sign in to follow</a></div>`
  );
}

const blockedText = "What this person says is hidden while you block them.";

/** Why the viewer may not read a timeline; undefined when they may. @param {any} user @param {unknown} page */
function refusalOf(user, page) {
  if (!(page instanceof Error)) return undefined;
  if (!(page instanceof ApiError) || (page.status !== 401 && page.status !== 403)) throw page;
  if (page.code === "Suspended") throw page;
  if (!user.protected || user.following) return "This person has blocked you: you cannot read what they say.";
  return "This timeline is protected: only approved followers can read it.";
}

/** @param {{ route: any, user: any, page: { statuses: any[], older?: string, newer?: string } }} props */
function Timeline({ route, user, page: { statuses, older, newer } }) {
  const isElsewhere = route.maxId !== undefined || route.sinceId !== undefined;
  const link = (
    /** @type {string} */ text,
    /** @type {Record<string, string>} */ page,
    /** @type {string} */ rel = "",
  ) =>
    html`<a href=${personHref(user.screen_name, page)} rel=${rel || undefined} class=${text.toLowerCase()}>${text}</a>`;
  const hasPages = isElsewhere || newer !== undefined || older !== undefined;
  return html`
    <h2 class="hidden">Statuses</h2>
    ${
      statuses.length > 0
        ? html`<ol class="statuses">
          ${statuses.map((status) => html`<li key=${status.id}><${Status} status=${status} author=${user} /></li>`)}
        </ol>`
        : html`<p class="note">Nothing here yet.</p>`
    }
    ${
      hasPages &&
      html`<nav class="pages" aria-label="Pages of this timeline">
      ${isElsewhere && link("Newest", {})} ${newer !== undefined && link("Newer", { sinceId: newer }, "prev")}
      ${older !== undefined && link("Older", { maxId: older }, "next")}
    </nav>`
    }
  `;
}

/** @param {{ statuses: any[], older?: string }} page @param {any} user */
function announcementOf({ statuses, older }, user) {
  const end = older === undefined && statuses.length > 0 ? " This is the oldest page." : "";
  return `${count(statuses.length, "status", "statuses")} of ${user.name || user.screen_name}.${end}`;
}
