import { useEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { appState, changeState, notify, useAppState } from "../state/app-state.js";
import { changeDraft, loadDraft, onPublishedElsewhere } from "../state/drafts.js";
import { maxWeight } from "../state/limits.js";
import { outcomeUnknown, publicationOf, publish } from "../state/publications.js";
import { Icon } from "./icon.js";
import { Said, useControl } from "./said.js";

const maxPictures = 4;

/** @typedef {{ status: any, author: any }} Reply what is replied to */

/** The id of the text field of a form. @param {Reply | undefined} reply */
export function writeId(reply) {
  return `write-${targetOf(reply)}`;
}

/**
 * The form for a new status or a reply. Its draft stays on this device until it is published.
 * @param {{ reply?: Reply, isInDialog?: boolean }} props
 */
export function Composer({ reply, isInDialog = false }) {
  const { writing } = useAppState();
  const isOpen = writing !== undefined && targetOf(writing.reply) === targetOf(reply);
  // While the dialog has the same draft, the form in the view is away; then it shows what became of the draft.
  if (isOpen && !isInDialog) return html`<div class="composer away"></div>`;
  return html`<${ComposerForm} reply=${reply} isInDialog=${isInDialog} />`;
}

/** @param {{ reply?: Reply, isInDialog: boolean }} props */
function ComposerForm({ reply, isInDialog }) {
  const { id, control, draft, left, sending, field, change, send } = useComposer(reply, isInDialog);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send(event);
  };
  const label = reply === undefined ? "What do you want to say?" : `Reply to @${reply.author.screen_name}`;
  return html`
    <form class="composer" method="dialog" novalidate onSubmit=${send}>
      <label class="hidden" for=${id}>${label}</label>
      <textarea
        id=${id}
        ref=${field}
        rows=${isInDialog ? 4 : 2}
        dir="auto"
        placeholder=${label}
        readonly=${sending.isBusy}
        aria-describedby=${`${id}-left ${id}-error`}
        aria-invalid=${left < 0 ? "true" : undefined}
        value=${draft.text}
        onInput=${(/** @type {any} */ event) => change({ text: event.currentTarget.value })}
        onKeyDown=${onKeyDown}
      ></textarea>
      <p class="error" id=${`${id}-error`} role="alert">${sending.error}</p>
      <div class="row">
        <${Pictures} id=${id} pictures=${draft.pictures} isBusy=${sending.isBusy} change=${(/** @type {string[]} */ pictures) => change({ pictures })} />
        <${Said} control=${control} />
        <span class=${left < 0 ? "left over" : "left"} id=${`${id}-left`}>${left} left</span>
        <span class="hidden" role="status">${left <= 20 ? `${left} characters left` : ""}</span>
        <button class="small" aria-disabled=${sending.isBusy ? "true" : undefined}>
          ${sending.isBusy ? "Sending…" : reply === undefined ? "Publish" : "Reply"}
        </button>
      </div>
    </form>
  `;
}

/** The part of the key of a draft that names what is written. @param {Reply | undefined} reply */
function targetOf(reply) {
  return reply === undefined ? "new" : `${reply.author.id}.${reply.status.id}`;
}

/** The draft of the form, how many weighted characters are left, and what sends it. @param {Reply | undefined} reply @param {boolean} isInDialog */
function useComposer(reply, isInDialog) {
  // The user whose draft it is: another one may sign in, in another tab, while the form is shown.
  const [userId] = useState(() => appState.me?.userId ?? "");
  const target = targetOf(reply);
  const id = isInDialog ? "write" : writeId(reply);
  const initial = reply === undefined || reply.author.id === userId ? "" : `@${reply.author.screen_name} `;
  // Another view's form, or this one before, may have sent it.
  const [begun] = useState(() => publicationOf(userId, target));
  const [draft, setDraft] = useState(() => begun?.draft ?? loadDraft(userId, target, initial));
  const [sending, setSending] = useState(() => ({
    isBusy: begun !== undefined,
    error: begun === undefined && draft.wasSent ? outcomeUnknown : "",
  }));
  const weigh = useWeight();
  const control = useControl();
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const left = maxWeight - weigh(draft.text);

  const change = (/** @type {{ text?: string, pictures?: string[] }} */ part) => {
    setDraft(changeDraft(userId, target, { text: draft.text, pictures: draft.pictures, ...part }));
    setSending(({ isBusy }) => ({ isBusy, error: "" }));
  };
  const refuse = (/** @type {string} */ error) => {
    setSending({ isBusy: false, error });
    field.current?.focus();
  };
  const finish = (/** @type {import("../state/publications.js").Outcome} */ { failed, error }) => {
    setDraft(failed ?? loadDraft(userId, target, initial));
    setSending({ isBusy: false, error });
  };
  useEffect(() => void begun?.outcome.then(finish), []);
  useEffect(() => onPublishedElsewhere(draft.requestId, () => finish({ error: "" })), [draft.requestId]);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (sending.isBusy) return;
    if (appState.me?.userId !== userId) return refuse("Another user is signed in now. Your words are kept for you.");
    if (draft.text.trim() === "") return refuse("Write something first.");
    if (left < 0) return refuse(`That is ${-left} too many.`);
    setSending({ isBusy: true, error: "" });
    const done = reply === undefined ? "Your status is published." : "Your reply is published.";
    const outcome = await publish(userId, target, draft, requestOf(draft, reply), { done, control });
    finish(outcome);
    if (outcome.failed === undefined)
      return isInDialog && field.current !== null && changeState({ writing: undefined });
    field.current?.focus();
    // The user may have gone to a view without this form.
    if (document.getElementById(id) === null) notify(outcome.error, true);
  };
  return { id, control, draft, left, sending, field, change, send };
}

/** @param {{ id: string, pictures: string[], isBusy: boolean, change: (pictures: string[]) => void }} props */
function Pictures({ id, pictures, isBusy, change }) {
  const shown = pictures.length < maxPictures && pictures.at(-1) !== "" ? [...pictures, ""] : pictures;
  const set = (/** @type {number} */ at, /** @type {string} */ text) =>
    change(shown.map((old, index) => (index === at ? text : old)));
  return html`
    <details class="pictures" open=${pictures.length > 0}>
      <summary title="Add pictures"><${Icon} name="picture" /><span class="hidden">Add pictures by their address</span></summary>
      ${shown.map(
        (picture, at) => html`
          <label for=${`${id}-picture-${at}`}>Address of picture ${at + 1}</label>
          <input
            id=${`${id}-picture-${at}`}
            type="url"
            placeholder="https://"
            readonly=${isBusy}
            value=${picture}
            onInput=${(/** @type {any} */ event) => set(at, event.currentTarget.value)}
          />
        `,
      )}
    </details>
  `;
}

/** @param {import("../state/drafts.js").Draft} draft @param {Reply | undefined} reply */
function requestOf({ text, pictures }, reply) {
  const mediaUrls = pictures.map((picture) => picture.trim()).filter(Boolean);
  const replied = reply && { inReplyToScreenName: reply.author.screen_name, inReplyToStatusId: reply.status.id };
  return { text, ...replied, ...(mediaUrls.length > 0 ? { mediaUrls } : {}) };
}

/** The service's own function for the length of a text; counts code points until it is loaded. */
function useWeight() {
  const [weigh, setWeigh] = useState(() => (/** @type {string} */ text) => [...text].length);
  useEffect(() => {
    import("../generated/weighted-text.js").then(
      ({ weightedLength }) => setWeigh(() => weightedLength),
      () => {},
    );
  }, []);
  return weigh;
}
