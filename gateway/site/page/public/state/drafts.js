import { newRequestId } from "./api.js";
import { meKey, readStored, store } from "./local-storage.js";

/**
 * A text that is not published yet. The request id belongs to the content: sent twice unchanged, it is published once.
 * @typedef {{ text: string, pictures: string[], requestId: string, wasSent?: boolean }} Draft wasSent: without an answer, so it may be published already
 */

const prefix = "roost.draft.";

/** The drafts of this tab, by key: they outlast a sign-out in another tab and a browser without storage. @type {Map<string, string>} */
const inMemory = new Map();

/** What to do when another tab has published a draft, by request id. @type {Map<string, () => void>} */
const listeners = new Map();

addEventListener("storage", ({ key, newValue, oldValue }) => {
  // Another tab published it; one that was changed since stays. Where no user is stored, another tab signed out.
  if (!key?.startsWith(prefix) || newValue !== null || readStored(meKey) === undefined) return;
  const requestId = parseDraft(oldValue)?.requestId ?? "";
  if (parseDraft(inMemory.get(key))?.requestId === requestId) inMemory.delete(key);
  listeners.get(requestId)?.();
});

/** Calls a listener when another tab has published a draft. @param {string} requestId @param {() => void} listener @returns {() => void} ends it */
export function onPublishedElsewhere(requestId, listener) {
  listeners.set(requestId, listener);
  return () => void listeners.delete(requestId);
}

/** The stored draft of a user, else a new one. @param {string} userId @param {string} target "new", or the status that is replied to @param {string} [text] to begin with @returns {Draft} */
export function loadDraft(userId, target, text = "") {
  const key = keyOf(userId, target);
  return parseDraft(readStored(key) ?? inMemory.get(key)) ?? { text, pictures: [], requestId: newRequestId() };
}

/** A stored draft; undefined when it is not readable. @param {string | null} [text] @returns {Draft | undefined} */
function parseDraft(text) {
  try {
    const draft = JSON.parse(text ?? "null");
    return typeof draft?.text === "string" && Array.isArray(draft.pictures) ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a draft whose content changed, under a new request id. @param {string} userId @param {string} target @param {{ text: string, pictures: string[] }} content */
export function changeDraft(userId, target, content) {
  const draft = { ...content, requestId: newRequestId() };
  keep(keyOf(userId, target), draft);
  return draft;
}

/** Stores whether a draft was sent; keeps what another tab stored since. @param {string} userId @param {string} target @param {Draft} draft */
export function markSent(userId, target, draft) {
  if (loadDraft(userId, target).requestId === draft.requestId) keep(keyOf(userId, target), draft);
}

/** Removes a draft that was published; keeps what another tab stored since. @param {string} userId @param {string} target @param {string} requestId */
export function removeDraft(userId, target, requestId) {
  const key = keyOf(userId, target);
  inMemory.delete(key);
  if (loadDraft(userId, target).requestId === requestId) store(key, undefined);
}

/** Removes all stored drafts; other tabs keep theirs in memory. */
export function removeDrafts() {
  inMemory.clear();
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // No storage, so nothing to remove.
  }
}

/** @param {string} key @param {Draft} draft */
function keep(key, draft) {
  inMemory.set(key, JSON.stringify(draft));
  store(key, inMemory.get(key));
}

/** @param {string} userId @param {string} target */
function keyOf(userId, target) {
  return `${prefix}${userId}.${target}`;
}
