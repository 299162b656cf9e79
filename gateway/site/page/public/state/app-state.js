import { useEffect, useReducer } from "../lib/hooks.js";

/**
 * Who is signed in.
 * @typedef {{ userId: string, userName: string, displayName: string }} Me
 */

/** The state of the page beside the view that it shows. */
export const appState = {
  /** @type {Me | undefined} */
  me: undefined,
  /** Whether this gateway serves signing in (PUBLIC_OPERATIONS). */
  canSignIn: true,
  /** Whether the session ended, but not by a sign-out in this tab. */
  wasSignedOut: false,
  isOnline: navigator.onLine,
  /** @type {{ text: string, isWrong: boolean } | undefined} */
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

/** Shows a line at the top until the user closes it or opens another view. @param {string} text @param {boolean} [isWrong] */
export function notify(text, isWrong = false) {
  changeState({ notice: { text, isWrong } });
}

/** Loads the view again, in place, so that it shows the last write. */
export function refresh() {
  dispatchEvent(new Event("roost-refresh"));
}

/** Goes to an address of this page. @param {string} href */
export function go(href) {
  dispatchEvent(new CustomEvent("roost-go", { detail: href }));
}
