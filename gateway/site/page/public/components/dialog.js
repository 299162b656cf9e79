import { useEffect, useRef } from "../lib/hooks.js";
import { html } from "../lib/html.js";

/** A modal dialog. The browser holds the focus inside, gives it back, and closes on Esc. @param {{ title: string, cancel?: string, close: () => void, children: any }} props */
export function Dialog({ title, cancel = "Cancel", close, children }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    dialog?.querySelector("textarea, input")?.focus();
    return () => dialog?.close();
  }, []);
  return html`
    <dialog ref=${element} aria-labelledby="dialog-title" onClose=${close}>
      <div class="dialog-head">
        <h2 id="dialog-title">${title}</h2>
        <button type="button" class="quiet small" onClick=${close}>${cancel}</button>
      </div>
      ${children}
    </dialog>
  `;
}
