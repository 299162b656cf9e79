import { ApiError, write } from "../known/api.js";
import { changeDraft, dropDraft, loadDraft } from "../known/drafts.js";
import { known, refresh, say } from "../known/store.js";
import { useEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { sentenceOf } from "../rules/say-error.js";

/** In weighted characters. */
const longest = 280;
const mostPictures = 4;

/**
 * The place to write at. What is written stays on this device until it is published, whatever happens to the network or the page.
 * @param {{ reply?: { status: any, author: any } }} props
 */
export function Composer({ reply }) {
  const userId = known.me?.userId ?? "";
  const place = reply === undefined ? "new" : `${reply.author.id}.${reply.status.id}`;
  const begin = reply === undefined || reply.author.id === userId ? "" : `@${reply.author.screen_name} `;
  const [draft, setDraft] = useState(() => loadDraft(userId, place, begin));
  const [sending, setSending] = useState({ isBusy: false, error: "" });
  const weigh = useWeight();
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const left = longest - weigh(draft.text);

  const change = (/** @type {{ text?: string, pictures?: string[] }} */ part) => {
    setDraft(changeDraft(userId, place, { text: draft.text, pictures: draft.pictures, ...part }));
    setSending({ isBusy: false, error: "" });
  };
  const refuse = (/** @type {string} */ error) => {
    setSending({ isBusy: false, error });
    field.current?.focus();
  };
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (sending.isBusy) return;
    if (draft.text.trim() === "") return refuse("Write something first.");
    if (left < 0) return refuse(`That is ${-left} too many.`);
    setSending({ isBusy: true, error: "" });
    try {
      await write("PublishStatus", requestOf(draft, reply), draft.requestId);
      dropDraft(userId, place);
      setDraft(loadDraft(userId, place, begin));
      setSending({ isBusy: false, error: "" });
      say(reply === undefined ? "Your status is published." : "Your reply is published.");
      refresh();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refuse(`It was not published: your words are kept here. ${sentenceOf(error, navigator.onLine)}`);
    }
  };
  const id = `write-${place}`;
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
        aria-describedby=${`${id}-left ${id}-error`}
        aria-invalid=${left < 0 ? "true" : undefined}
        value=${draft.text}
        onInput=${(/** @type {any} */ event) => change({ text: event.currentTarget.value })}
        onKeyDown=${onKeyDown}
      ></textarea>
      <${Pictures} id=${id} pictures=${draft.pictures} change=${(/** @type {string[]} */ pictures) => change({ pictures })} />
      <p class="error" id=${`${id}-error`} role="alert">${sending.error}</p>
      <div class="row">
        <button aria-disabled=${sending.isBusy ? "true" : undefined}>
          ${sending.isBusy ? "Sending…" : reply === undefined ? "Publish" : "Reply"}
        </button>
        <span class=${left < 0 ? "left over" : "left"} id=${`${id}-left`}>${left} left</span>
        <span class="hidden" role="status">${left <= 20 ? `${left} characters left` : ""}</span>
      </div>
    </form>
  `;
}

/** @param {{ id: string, pictures: string[], change: (pictures: string[]) => void }} props */
function Pictures({ id, pictures, change }) {
  const shown = pictures.length < mostPictures && pictures.at(-1) !== "" ? [...pictures, ""] : pictures;
  const set = (/** @type {number} */ at, /** @type {string} */ text) =>
    change(shown.map((old, index) => (index === at ? text : old)));
  return html`
    <details class="pictures" open=${pictures.some(Boolean)}>
      <summary>Add pictures by their address</summary>
      ${shown.map(
        (picture, at) => html`
          <label for=${`${id}-picture-${at}`}>Address of picture ${at + 1}</label>
          <input
            id=${`${id}-picture-${at}`}
            type="url"
            placeholder="https://"
            value=${picture}
            onInput=${(/** @type {any} */ event) => set(at, event.currentTarget.value)}
          />
        `,
      )}
    </details>
  `;
}

/** @param {import("../known/drafts.js").Draft} draft @param {{ status: any, author: any } | undefined} reply */
function requestOf({ text, pictures }, reply) {
  const mediaUrls = pictures.map((picture) => picture.trim()).filter(Boolean);
  const answered = reply && { inReplyToScreenName: reply.author.screen_name, inReplyToStatusId: reply.status.id };
  return { text, ...answered, ...(mediaUrls.length > 0 ? { mediaUrls } : {}) };
}

/** The rule by which a text is measured, the service's own: code points until it is loaded. */
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
