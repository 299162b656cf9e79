import { read } from "../known/api.js";
import { known } from "../known/store.js";
import { useEffect, useRef } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { Composer } from "../parts/composer.js";
import { Person } from "../parts/person.js";
import { Status } from "../parts/status.js";
import { signInHref } from "../rules/place.js";

/** One status, its author, and a place to answer it. @param {import("../rules/place.js").Place} place @param {AbortSignal} signal */
export async function showStatus({ user = "", id = "" }, signal) {
  const { results } = await read(`/social/${encodeURIComponent(user)}/timelines/${id}`, signal);
  const [status] = results;
  const author = status.user;
  const title = `${author.name || author.screen_name}: ${cut(status.text)}`;
  return {
    title,
    news: "",
    body: html`
      <h1 tabindex="-1" class="hidden">${`A status of ${author.name || author.screen_name}`}</h1>
      <${Status} status=${status} author=${author} isNamed />
      ${
        known.me === undefined
          ? html`<p class="aside"><a href=${signInHref()}>Sign in</a> to answer.</p>`
          : html`<${Answer} status=${status} author=${author} />`
      }
      <${Person} user=${author} />
    `,
  };
}

/** @param {{ status: any, author: any }} props */
function Answer({ status, author }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  // The link "Reply" leads right into the field.
  useEffect(() => {
    if (new URLSearchParams(location.search).has("reply")) place.current?.querySelector("textarea")?.focus();
  }, [status.id]);
  return html`<div ref=${place}><${Composer} key=${status.id} reply=${{ status, author }} /></div>`;
}

/** @param {string} text */
function cut(text) {
  const points = [...text];
  return points.length > 60 ? `${points.slice(0, 59).join("")}…` : text;
}
