import { useEffect, useRef } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { undoDeletion, undoMs } from "../state/deletions.js";

/** Shown instead of a status while its deletion can be undone. @param {{ status: any }} props */
export function PendingDeletion({ status }) {
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => button.current?.focus(), []);
  return html`
    <div class="deleted" data-id=${status.id}>
      <p role="status">This status will be deleted in ${undoMs / 1000} seconds.</p>
      <button type="button" class="quiet small" ref=${button} onClick=${() => undoDeletion(status)}>Undo</button>
    </div>
  `;
}
