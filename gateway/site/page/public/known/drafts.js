import { newRequestId } from "./api.js";
import { keep, kept, meKey } from "./seen.js";

/**
 * Words that were not sent yet. The request id goes with the content: sent again unchanged, it is published once.
 * @typedef {{ text: string, pictures: string[], requestId: string }} Draft
 */

const prefix = "roost.draft.";

/** What this tab wrote and did not send: it stays when another tab signs out, or the browser keeps nothing. @type {Map<string, string>} */
const written = new Map();

addEventListener("storage", ({ key, newValue }) => {
  // Another tab published it, unless no one is signed in any more.
  if (key?.startsWith(prefix) && newValue === null && kept(meKey) !== undefined) written.delete(key);
});

/** The draft of a user for a place to write at. @param {string} userId @param {string} place @param {string} [text] to begin with @returns {Draft} */
export function loadDraft(userId, place, text = "") {
  try {
    const name = nameOf(userId, place);
    const draft = JSON.parse(kept(name) ?? written.get(name) ?? "null");
    if (typeof draft?.text === "string" && Array.isArray(draft.pictures)) return draft;
  } catch {
    // Not readable: begin anew.
  }
  return { text, pictures: [], requestId: newRequestId() };
}

/** Keeps a draft whose content changed, under a new request id. @param {string} userId @param {string} place @param {{ text: string, pictures: string[] }} content */
export function changeDraft(userId, place, content) {
  const draft = { ...content, requestId: newRequestId() };
  const name = nameOf(userId, place);
  written.set(name, JSON.stringify(draft));
  keep(name, written.get(name));
  return draft;
}

/** Forgets a draft that was published. @param {string} userId @param {string} place */
export function dropDraft(userId, place) {
  const name = nameOf(userId, place);
  written.delete(name);
  keep(name, undefined);
}

/** Forgets all drafts of this browser, but what other tabs still show. */
export function forgetDrafts() {
  written.clear();
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}

/** @param {string} userId @param {string} place */
function nameOf(userId, place) {
  return `${prefix}${userId}.${place}`;
}
