import { useEffect, useReducer } from "../lib/hooks.js";

/**
 * Who is signed in.
 * @typedef {{ userId: string, userName: string, displayName: string }} Me
 */

/**
 * The result of an action. `control` names what was used, while that is shown: the result is said beside it, and else at the lower edge.
 * @typedef {{ text: string, isWrong: boolean, control?: string }} Notice
 */

/** The state of the page beside the view that it shows. */
export const appState = {
  /** @type {Me | undefined} */
  me: undefined,
  /** Whether this gateway serves signing in (PUBLIC_OPERATIONS). The gateway writes it into the page. */
  canSignIn: document.body.dataset.canSignIn === "true",
  /** Whether the session ended, but not by a sign-out in this tab. */
  wasSignedOut: false,
  isOnline: navigator.onLine,
  /** What the dialog to write is open for: a new status, or a reply. @type {{ reply?: { status: any, author: any } } | undefined} */
  writing: undefined,
  /** @type {Notice | undefined} */
  notice: undefined,
};

/** @type {Set<() => void>} */
const listeners = new Set();

/** Changes the state and renders the components that use it again. @param {Partial<typeof appState>} part */
export function changeState(part) {
  Object.assign(appState, part);
  for (const listener of listeners) listener();
}

/** The state, for a component that is rendered again when it changes. */
export function useAppState() {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    listeners.add(draw);
    return () => void listeners.delete(draw);
  }, []);
  return appState;
}

/** The controls that are shown. @type {Set<string>} */
const controls = new Set();

/** To be called when a control is shown. @param {string} control */
export function joinControl(control) {
  controls.add(control);
}

/** To be called when a control is removed: what was said beside it moves to the lower edge. @param {string} control */
export function leaveControl(control) {
  controls.delete(control);
  const { notice } = appState;
  if (notice?.control === control) changeState({ notice: { ...notice, control: undefined } });
}

/**
 * Says the result of an action until the user opens another view: beside its control, or at the lower edge where that can be closed.
 * @param {string} text @param {boolean} [isWrong] @param {string} [control]
 */
export function notify(text, isWrong = false, control) {
  changeState({ notice: { text, isWrong, control: control && controls.has(control) ? control : undefined } });
}

/** Loads the view again, in place, so that it shows the last write. */
export function refresh() {
  dispatchEvent(new Event("roost-refresh"));
}

/** Goes to an address of this page. @param {string} href */
export function go(href) {
  dispatchEvent(new CustomEvent("roost-go", { detail: href }));
}
