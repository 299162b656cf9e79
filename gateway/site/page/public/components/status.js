import { useEffect, useRef } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { personHref, statusHref } from "../rules/route.js";
import { sourceName } from "../rules/source-name.js";
import { useAppState } from "../state/app-state.js";
import { isPending } from "../state/deletions.js";
import { Avatar } from "./avatar.js";
import { Marks } from "./marks.js";
import { PendingDeletion } from "./pending-deletion.js";
import { Picture } from "./picture.js";
import { StatusText } from "./status-text.js";
import { Time } from "./time.js";

/**
 * One status: text, pictures, time, source and actions.
 * @param {{ status: any, author: any, isNamed?: boolean }} props isNamed: shows the author, in a list of several authors
 */
export function Status({ status, author, isNamed = false }) {
  useAppState();
  const isDeleting = isPending(status);
  const article = useFocusAfter(isDeleting);
  if (isDeleting) return html`<${PendingDeletion} status=${status} />`;
  return html`
    <article class="status" ref=${article} tabindex="-1" data-id=${status.id} aria-label=${`Status of ${author.name || author.screen_name}`}>
      ${isNamed && html`<${Author} author=${author} />`}
      <${ReplyLine} ...${status} />
      <${StatusText} status=${status} lang=${author.lang} />
      ${(status.entities?.media ?? []).map((/** @type {any} */ media) => html`<${Picture} key=${media.media_url_https || media.media_url} media=${media} />`)}
      <p class="about">
        <a href=${statusHref(author.screen_name, status.id)}><${Time} text=${status.created_at} /></a>
        ${detailsOf(status).map((fact) => html`<span dir="auto">${fact}</span>`)}
      </p>
      <${Marks} key=${status.id} status=${status} author=${author} />
    </article>
  `;
}

/** An element that takes the focus when it is shown again: the Undo button that had it is removed. @param {boolean} isHidden */
function useFocusAfter(isHidden) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const wasHidden = useRef(isHidden);
  useEffect(() => {
    if (wasHidden.current && !isHidden) element.current?.focus();
    wasHidden.current = isHidden;
  }, [isHidden]);
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
function ReplyLine({ in_reply_to_screen_name: name, in_reply_to_status_id: id, in_reply_to_user_id: userId }) {
  if (!name) return undefined;
  // The author may be unknown here: who has that name here is another one.
  if (!userId) return html`<p class="reply">In reply to <span dir="auto">@${name}</span></p>`;
  const href = id === undefined ? personHref(name) : statusHref(name, id);
  return html`<p class="reply">In reply to <a href=${href} dir="auto">@${name}</a></p>`;
}

/** @param {any} status */
function detailsOf({ source, coordinates }) {
  const name = sourceName(source ?? "");
  const [longitude, latitude] = coordinates?.coordinates ?? [];
  const facts = [
    name === "" ? undefined : `with ${name}`,
    latitude === undefined ? undefined : `at ${latitude.toFixed(2)}, ${longitude.toFixed(2)}`,
  ];
  return facts.filter((fact) => fact !== undefined);
}
