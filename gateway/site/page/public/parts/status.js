import { isPending } from "../known/deletions.js";
import { useKnown } from "../known/store.js";
import { useEffect, useRef } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { personHref, statusHref } from "../rules/place.js";
import { sourceName } from "../rules/plain-text.js";
import { Avatar } from "./avatar.js";
import { Deleted } from "./deleted.js";
import { Marks } from "./marks.js";
import { Moment } from "./moment.js";
import { Picture } from "./picture.js";
import { Words } from "./words.js";

/**
 * One status: its words with their entities, its pictures, when and with what it was written, and what can be done with it.
 * @param {{ status: any, author: any, isNamed?: boolean }} props isNamed: whether its author is said, where several are shown together
 */
export function Status({ status, author, isNamed = false }) {
  useKnown();
  const isGoing = isPending(status);
  const article = useBack(isGoing);
  if (isGoing) return html`<${Deleted} status=${status} />`;
  return html`
    <article class="status" ref=${article} tabindex="-1" data-id=${status.id} aria-label=${`Status of ${author.name || author.screen_name}`}>
      ${isNamed && html`<${Author} author=${author} />`}
      <${ReplyLine} ...${status} />
      <${Words} status=${status} lang=${author.lang} />
      ${(status.entities?.media ?? []).map((/** @type {any} */ media) => html`<${Picture} media=${media} />`)}
      <p class="about">
        <a href=${statusHref(author.screen_name, status.id)}><${Moment} text=${status.created_at} /></a>
        ${aboutOf(status).map((fact) => html`<span dir="auto">${fact}</span>`)}
      </p>
      <${Marks} key=${status.id} status=${status} author=${author} />
    </article>
  `;
}

/** An element that takes the focus when it is back, since the button that brought it back is gone. @param {boolean} isAway */
function useBack(isAway) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const wasAway = useRef(isAway);
  useEffect(() => {
    if (wasAway.current && !isAway) element.current?.focus();
    wasAway.current = isAway;
  }, [isAway]);
  return element;
}

/** @param {{ author: any }} props */
function Author({ author }) {
  return html`
    <p class="author">
      <${Avatar} user=${author} />
      <a href=${personHref(author.screen_name)} class="name" dir="auto">${author.name || author.screen_name}</a>
      <span class="soft">@${author.screen_name}</span>
    </p>
  `;
}

/** @param {any} status */
function ReplyLine({ in_reply_to_screen_name: name, in_reply_to_status_id: id }) {
  if (!name) return undefined;
  const href = id === undefined ? personHref(name) : statusHref(name, id);
  return html`<p class="reply">In reply to <a href=${href} dir="auto">@${name}</a></p>`;
}

/** @param {any} status */
function aboutOf({ source, coordinates }) {
  const name = sourceName(source ?? "");
  const [longitude, latitude] = coordinates?.coordinates ?? [];
  const facts = [
    name === "" ? undefined : `with ${name}`,
    latitude === undefined ? undefined : `at ${latitude.toFixed(2)}, ${longitude.toFixed(2)}`,
  ];
  return facts.filter((fact) => fact !== undefined);
}
