import { useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { errorText } from "../rules/error-text.js";
import { ApiError } from "../state/api.js";
import { notify, refresh } from "../state/app-state.js";
import { Said, useControl } from "./said.js";

/**
 * A button that runs a write, one at a time. After it the view is loaded again; what came of it is said beside the button.
 * @param {{ act: () => Promise<unknown>, done?: string, label?: string, isQuiet?: boolean, children: any }} props
 *   done: said after success
 */
export function Action({ act, done, label, isQuiet = false, children }) {
  const [isBusy, setBusy] = useState(false);
  // A button that has just done something shows that, and not yet what it does next, until it is left.
  const [isFresh, setFresh] = useState(false);
  const control = useControl();
  const onClick = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await act();
      setFresh(true);
      if (done !== undefined) notify(done, false, control);
      refresh();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notify(`That did not work. ${errorText(error)}`, true, control);
    } finally {
      setBusy(false);
    }
  };
  return html`
    <button
      type="button"
      class=${isQuiet ? "quiet" : undefined}
      aria-label=${label}
      aria-disabled=${isBusy ? "true" : undefined}
      data-fresh=${isFresh ? "" : undefined}
      onClick=${onClick}
      onPointerLeave=${() => setFresh(false)}
      onBlur=${() => setFresh(false)}
    >
      ${children}
    </button>
    <${Said} control=${control} />
  `;
}
