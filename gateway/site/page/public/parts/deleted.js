import { undoDeletion, undoMs } from "../known/deletions.js";
import { useEffect, useRef } from "../lib/hooks.js";
import { html } from "../lib/html.js";

/** What is shown in the place of a status for as long as its deletion can be taken back. @param {{ status: any }} props */
export function Deleted({ status }) {
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => button.current?.focus(), []);
  return html`
    <div class="status deleted" data-id=${status.id}>
      <p role="status">This status will be deleted in ${undoMs / 1000} seconds.</p>
      <button type="button" class="quiet" ref=${button} onClick=${() => undoDeletion(status)}>Undo</button>
    </div>
  `;
}
