import { ApiError } from "../known/api.js";
import { loadPage } from "../known/load-page.js";
import { findUsers } from "../known/people.js";
import { known } from "../known/store.js";
import { html } from "../lib/html.js";
import { Composer } from "../parts/composer.js";
import { Person } from "../parts/person.js";
import { Relation } from "../parts/relation.js";
import { Status } from "../parts/status.js";
import { count } from "../rules/count.js";
import { personHref } from "../rules/place.js";

/** A person: who they are, and a page of what they say. @param {import("../rules/place.js").Place} place @param {AbortSignal} signal */
export async function showPerson(place, signal) {
  const name = place.user ?? "";
  const [[user], page] = await Promise.all([
    findUsers([name], signal),
    loadPage({ ...place, user: name }, signal).catch((/** @type {unknown} */ error) => error),
  ]);
  // Suspended and unknown users are in no lookup; the timeline says which it is.
  if (user === undefined) throw page instanceof ApiError ? page : new ApiError(404, {});
  const refused = refusalOf(user, page);
  const isMine = user.id === known.me?.userId;
  return {
    title: `${user.name || user.screen_name} (@${user.screen_name})`,
    news: refused ?? newsOf(page, user),
    body: html`
      <${Person} user=${user} isHead>
        ${known.me !== undefined && !isMine && html`<${Relation} key=${user.id} user=${user} />`}
        ${isMine && html`<p><a class="button" href="/settings">Edit your profile</a></p>`}
      <//>
      ${isMine && html`<${Composer} />`}
      ${refused === undefined ? html`<${Timeline} place=${place} user=${user} page=${page} />` : html`<p class="note">${refused}</p>`}
    `,
  };
}

/** Why a timeline is not for this reader; undefined when it is. @param {any} user @param {unknown} page */
function refusalOf(user, page) {
  if (!(page instanceof Error)) return undefined;
  if (!(page instanceof ApiError) || (page.status !== 401 && page.status !== 403)) throw page;
  if (page.code === "Suspended") throw page;
  if (!user.protected || user.following) return "This person has blocked you: you cannot read what they say.";
  return "This timeline is protected: only approved followers can read it.";
}

/** @param {{ place: any, user: any, page: { statuses: any[], older?: string, newer?: string } }} props */
function Timeline({ place, user, page: { statuses, older, newer } }) {
  const isElsewhere = place.maxId !== undefined || place.sinceId !== undefined;
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
function newsOf({ statuses, older }, user) {
  const end = older === undefined && statuses.length > 0 ? " This is the oldest page." : "";
  return `${count(statuses.length, "status", "statuses")} of ${user.name || user.screen_name}.${end}`;
}
