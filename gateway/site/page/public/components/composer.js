import { useEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { appState, notify } from "../state/app-state.js";
import { changeDraft, loadDraft, onPublishedElsewhere } from "../state/drafts.js";
import { maxWeight } from "../state/limits.js";
import { outcomeUnknown, publicationOf, publish } from "../state/publications.js";
import { Said, useControl } from "./said.js";

const maxPictures = 4;

/**
 * The form for a new status or a reply. Its draft stays on this device until it is published.
 * @param {{ reply?: { status: any, author: any } }} props
 */
export function Composer({ reply }) {
  const { id, control, draft, left, sending, field, change, send } = useComposer(reply);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send(event);
  };
  return html`
    <form class="composer" method="dialog" novalidate onSubmit=${send}>
      <label for=${id}>${reply === undefined ? "What do you want to say?" : `Reply to @${reply.author.screen_name}`}</label>
      <textarea
        id=${id}
        ref=${field}
        rows="3"
        dir="auto"
        readonly=${sending.isBusy}
        aria-describedby=${`${id}-left ${id}-error`}
        aria-invalid=${left < 0 ? "true" : undefined}
        value=${draft.text}
        onInput=${(/** @type {any} */ event) => change({ text: event.currentTarget.value })}
        onKeyDown=${onKeyDown}
      ></textarea>
      <${Pictures} id=${id} pictures=${draft.pictures} isBusy=${sending.isBusy} change=${(/** @type {string[]} */ pictures) => change({ pictures })} />
      <p class="error" id=${`${id}-error`} role="alert">${sending.error}</p>
      <div class="row">
        <button aria-disabled=${sending.isBusy ? "true" : undefined}>
          ${sending.isBusy ? "Sending…" : reply === undefined ? "Publish" : "Reply"}
        </button>
        <span class=${left < 0 ? "left over" : "left"} id=${`${id}-left`}>${left} left</span>
        <span class="hidden" role="status">${left <= 20 ? `${left} characters left` : ""}</span>
        <${Said} control=${control} />
      </div>
    </form>
  `;
}

/** The draft of the form, how many weighted characters are left, and what sends it. @param {{ status: any, author: any } | undefined} reply */
function useComposer(reply) {
  // The user whose draft it is: another one may sign in, in another tab, while the form is shown.
  const [userId] = useState(() => appState.me?.userId ?? "");
  const target = reply === undefined ? "new" : `${reply.author.id}.${reply.status.id}`;
  const id = `write-${target}`;
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
    if (outcome.failed === undefined) return;
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
      <summary>Add pictures by their address</summary>
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

/** @param {import("../state/drafts.js").Draft} draft @param {{ status: any, author: any } | undefined} reply */
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
