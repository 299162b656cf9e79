import { useEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { personHref, statusHref } from "../rules/route.js";
import { sourceName } from "../rules/source-name.js";
import { go, notify, useAppState } from "../state/app-state.js";
import { deleteLater, isPending, undoDeletion, undoMs } from "../state/deletions.js";
import { Avatar } from "./avatar.js";
import { Icon } from "./icon.js";
import { Marks } from "./marks.js";
import { Menu } from "./menu.js";
import { Picture } from "./picture.js";
import { hidingItems, useHidden } from "./relation.js";
import { Report } from "./report.js";
import { useControl } from "./said.js";
import { StatusText } from "./texts.js";
import { Age, Time } from "./time.js";

/**
 * One status: author, text, pictures and actions, the author's picture beside them.
 * @param {{ status: any, author: any, isMain?: boolean }} props isMain: the one that its page is about, with exact time and source
 */
export function Status({ status, author, isMain = false }) {
  useAppState();
  const isDeleting = isPending(status);
  const article = useFocusAfter(isDeleting);
  const control = useControl();
  if (isDeleting) return html`<${PendingDeletion} status=${status} />`;
  const name = author.name || author.screen_name;
  const href = statusHref(author.screen_name, status.id);
  return html`
    <article
      class=${isMain ? "status main" : "status"}
      ref=${article}
      tabindex="-1"
      data-id=${status.id}
      aria-label=${`Status of ${name}`}
      onClick=${isMain ? undefined : (/** @type {MouseEvent} */ event) => openFrom(event, href)}
    >
      <a class="face" href=${personHref(author.screen_name)} tabindex="-1" aria-hidden="true"><${Avatar} user=${author} /></a>
      <p class="author">
        <a href=${personHref(author.screen_name)} class="name" dir="auto">${name}</a>
        <span class="soft">@${author.screen_name}</span>
        ${!isMain && html`<a class="age" href=${href}><${Age} text=${status.created_at} /></a>`}
      </p>
      <${StatusMenu} status=${status} author=${author} control=${control} />
      <div class="said-in">
        <${ReplyLine} ...${status} />
        <${StatusText} status=${status} lang=${author.lang} />
        ${(status.entities?.media ?? []).map((/** @type {any} */ media) => html`<${Picture} key=${media.media_url_https || media.media_url} media=${media} />`)}
        ${
          isMain &&
          html`<p class="about">
          <a href=${href}><${Time} text=${status.created_at} /></a>
          ${detailsOf(status).map((fact) => html`<span dir="auto">${fact}</span>`)}
        </p>`
        }
        <${Marks} key=${status.id} status=${status} author=${author} control=${control} />
      </div>
    </article>
  `;
}

/** Opens a status from a click beside its links and buttons, unless text is selected. @param {MouseEvent} event @param {string} href */
function openFrom({ target }, href) {
  const isControl =
    target instanceof Element && target.closest("a, button, figure, dialog, form, [role=menu]") !== null;
  if (!isControl && `${getSelection() ?? ""}` === "") go(href);
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

/** What can be done with a status beside answering and marking it. @param {{ status: any, author: any, control: string }} props control: where the result is said */
function StatusMenu({ status, author, control }) {
  const { me } = useAppState();
  const [isReporting, setReporting] = useState(false);
  const [hidden, loadHidden] = useHidden(author);
  const isMine = author.id === me?.userId;
  const items = [{ text: "Copy link", icon: "link", act: () => copyLink(status, author, control) }];
  if (isMine) items.push({ text: "Delete", icon: "delete", isDanger: true, act: () => deleteLater(status) });
  else if (me !== undefined)
    items.push(...hidingItems(author, hidden, control), {
      text: "Report…",
      icon: "report",
      act: () => setReporting(true),
    });
  return html`
    <${Menu} label="More" items=${items} onOpen=${isMine || me === undefined ? undefined : loadHidden}><${Icon} name="more" /><//>
    ${isReporting && html`<${Report} user=${author} status=${status} close=${() => setReporting(false)} />`}
  `;
}

/** @param {any} status @param {any} author @param {string} control */
async function copyLink({ id }, { screen_name: name }, control) {
  const link = `${location.origin}${statusHref(name, id)}`;
  try {
    // Only over https and on localhost.
    await navigator.clipboard.writeText(link);
    notify("The link is copied.", false, control);
  } catch {
    notify(`The link is ${link}`, false, control);
  }
}

/** Shown instead of a status while its deletion can be undone. @param {{ status: any }} props */
function PendingDeletion({ status }) {
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => button.current?.focus(), []);
  return html`
    <div class="deleted" data-id=${status.id}>
      <p role="status">This status will be deleted in ${undoMs / 1000} seconds.</p>
      <button type="button" class="quiet small" ref=${button} onClick=${() => undoDeletion(status)}>Undo</button>
    </div>
  `;
}
