/** The key of the signed-in user. */
export const meKey = "roost.me";

/** The text that the browser stores under a key; undefined without one. @param {string} key */
export function readStored(key) {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text, or removes it. A browser may refuse, in a private window or on a full disk. @param {string} key @param {string | undefined} text */
export function store(key, text) {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Nothing depends on it.
  }
}
