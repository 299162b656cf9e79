import { useEffect, useReducer } from "../lib/hooks.js";

/**
 * Who is signed in.
 * @typedef {{ userId: string, userName: string, displayName: string }} Me
 */

/** What the page knows beside the view that it shows. */
export const known = {
  /** @type {Me | undefined} */
  me: undefined,
  /** Whether this gateway lets people sign in at all (PUBLIC_OPERATIONS). */
  canSignIn: true,
  /** Whether the session ended without a word from here. */
  wasSignedOut: false,
  isOnline: navigator.onLine,
  /** @type {{ text: string, isWrong: boolean, number: number } | undefined} */
  notice: undefined,
};

/** @type {Set<() => void>} */
const listeners = new Set();

/** Changes what is known; all that shows it is drawn again. @param {Partial<typeof known>} part */
export function learn(part) {
  Object.assign(known, part);
  for (const listener of listeners) listener();
}

/** What is known, for a component that is to be drawn again when it changes. */
export function useKnown() {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    listeners.add(draw);
    return () => void listeners.delete(draw);
  }, []);
  return known;
}

let notices = 0;

/** Says something in a line at the top until the reader closes it or goes on. @param {string} text @param {boolean} [isWrong] */
export function say(text, isWrong = false) {
  learn({ notice: { text, isWrong, number: ++notices } });
}

/** Loads the shown view again, in place: an answered write is in every read after it. */
export function refresh() {
  dispatchEvent(new Event("roost-refresh"));
}

/** Goes to an address of this page. @param {string} href */
export function go(href) {
  dispatchEvent(new CustomEvent("roost-go", { detail: href }));
}
