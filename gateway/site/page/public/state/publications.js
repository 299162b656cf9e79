import { errorText } from "../rules/error-text.js";
import { ApiError, isOutcomeUnknown, write } from "./api.js";
import { notify, refresh } from "./app-state.js";
import { markSent, removeDraft } from "./drafts.js";

/**
 * `failed` is the draft of a publication that failed, with the reason in `error`.
 * @typedef {{ failed?: import("./drafts.js").Draft, error: string }} Outcome
 * @typedef {{ draft: import("./drafts.js").Draft, outcome: Promise<Outcome> }} Publication
 */

/** The publications that are not answered yet, by user and target: they outlast the form that sent them. @type {Map<string, Publication>} */
const pending = new Map();

/** Said of a draft that was sent and not answered. */
export const outcomeUnknown =
  "It is not certain whether it was published. Your words are kept here: sent again unchanged, they appear only once.";

/** The publication of a draft, until it is answered. @param {string} userId @param {string} target */
export function publicationOf(userId, target) {
  return pending.get(`${userId} ${target}`);
}

/**
 * Publishes a draft, and removes it after that.
 * @param {string} userId @param {string} target @param {import("./drafts.js").Draft} draft
 * @param {{ text: string, mediaUrls?: string[] }} fields
 * @param {{ done: string, control: string }} notice said after success, and beside what
 * @returns {Promise<Outcome>}
 */
export function publish(userId, target, draft, fields, notice) {
  const key = `${userId} ${target}`;
  const outcome = send(userId, target, draft, fields, notice).finally(() => pending.delete(key));
  pending.set(key, { draft, outcome });
  return outcome;
}

/** @param {string} userId @param {string} target @param {import("./drafts.js").Draft} draft @param {object} fields @param {{ done: string, control: string }} notice @returns {Promise<Outcome>} */
async function send(userId, target, draft, fields, { done, control }) {
  const wasOnline = navigator.onLine;
  const sent = { ...draft, wasSent: draft.wasSent || wasOnline };
  // The page may be closed before the answer.
  markSent(userId, target, sent);
  try {
    await write("PublishStatus", fields, draft.requestId);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const failed = isOutcomeUnknown(error) ? sent : draft;
    markSent(userId, target, failed);
    const what = failed.wasSent ? outcomeUnknown : "It was not published: your words are kept here.";
    return { failed, error: `${what} ${errorText(error)}` };
  }
  removeDraft(userId, target, draft.requestId);
  notify(done, false, control);
  refresh();
  return { error: "" };
}
