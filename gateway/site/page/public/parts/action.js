import { ApiError } from "../known/api.js";
import { known, refresh, say } from "../known/store.js";
import { useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { sentenceOf } from "../rules/say-error.js";

/**
 * A button that changes something on the server, once at a time. When it is done the view is loaded again; when not, it says why.
 * @param {{ act: () => Promise<unknown>, done?: string, label?: string, isOn?: boolean, isQuiet?: boolean, children: any }} props
 *   done: what is said then; isOn: of a button that stays pressed
 */
export function Action({ act, done, label, isOn, isQuiet = false, children }) {
  const [isBusy, setBusy] = useState(false);
  const onClick = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await act();
      if (done !== undefined) say(done);
      refresh();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      say(`That did not work. ${sentenceOf(error, known.isOnline)}`, true);
    } finally {
      setBusy(false);
    }
  };
  return html`
    <button
      type="button"
      class=${isQuiet ? "quiet" : undefined}
      aria-label=${label}
      aria-pressed=${isOn === undefined ? undefined : `${isOn}`}
      aria-disabled=${isBusy ? "true" : undefined}
      onClick=${onClick}
    >
      ${children}
    </button>
  `;
}
