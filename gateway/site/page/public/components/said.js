import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { joinControl, leaveControl, useAppState } from "../state/app-state.js";

/** The name of a control, beside which its results are said while it is shown. @returns {string} */
export function useControl() {
  // Not useId: its names repeat where components are added later.
  const [control] = useState(() => `${++count}`);
  useEffect(() => {
    joinControl(control);
    return () => leaveControl(control);
  }, []);
  return control;
}

let count = 0;

/**
 * Where the result of a control is said, to screen readers too. It is there before it has a text: a new region with a text is not read out.
 * @param {{ control: string }} props
 */
export function Said({ control }) {
  const { notice } = useAppState();
  const isHere = notice?.control === control;
  return html`<span class=${isHere && notice.isWrong ? "said error" : "said"} role="status" dir="auto">${isHere ? notice.text : ""}</span>`;
}
