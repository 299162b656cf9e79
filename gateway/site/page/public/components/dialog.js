import { useEffect, useRef } from "../lib/hooks.js";
import { html } from "../lib/html.js";

/** A modal dialog. The browser holds the focus inside, gives it back, and closes on Esc. @param {{ title: string, close: () => void, children: any }} props */
export function Dialog({ title, close, children }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return html`
    <dialog ref=${element} aria-labelledby="dialog-title" onClose=${close}>
      <h2 id="dialog-title">${title}</h2>
      ${children}
      <p class="aside"><button type="button" class="quiet" onClick=${close}>Cancel</button></p>
    </dialog>
  `;
}
