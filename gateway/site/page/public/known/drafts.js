import { newRequestId } from "./api.js";
import { keep, kept } from "./seen.js";

/**
 * Words that were not sent yet. The request id goes with the content: sent again unchanged, it is published once.
 * @typedef {{ text: string, pictures: string[], requestId: string }} Draft
 */

const prefix = "roost.draft.";

/** The draft of a user for a place to write at. @param {string} userId @param {string} place @param {string} [text] to begin with @returns {Draft} */
export function loadDraft(userId, place, text = "") {
  try {
    const draft = JSON.parse(kept(nameOf(userId, place)) ?? "null");
    if (typeof draft?.text === "string" && Array.isArray(draft.pictures)) return draft;
  } catch {
    // Not readable: begin anew.
  }
  return { text, pictures: [], requestId: newRequestId() };
}

/** Keeps a draft whose content changed, under a new request id. @param {string} userId @param {string} place @param {{ text: string, pictures: string[] }} content */
export function changeDraft(userId, place, content) {
  const draft = { ...content, requestId: newRequestId() };
  keep(nameOf(userId, place), JSON.stringify(draft));
  return draft;
}

/** Forgets a draft that was published. @param {string} userId @param {string} place */
export function dropDraft(userId, place) {
  keep(nameOf(userId, place), undefined);
}

/** Forgets all drafts of this browser. */
export function forgetDrafts() {
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
