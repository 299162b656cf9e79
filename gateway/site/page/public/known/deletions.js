import { sentenceOf } from "../rules/say-error.js";
import { write, writeAtEnd } from "./api.js";
import { learn, refresh, say } from "./store.js";

/** Milliseconds in which a deletion can be taken back. */
export const undoMs = 10_000;

/** Deletions that were not sent yet, by status id. @type {Map<number, ReturnType<typeof setTimeout>>} */
const pending = new Map();

/** Deletes a status of the reader's own after a while. @param {{ id: number }} status */
export function deleteLater({ id }) {
  pending.set(
    id,
    setTimeout(() => void deleteNow(id), undoMs),
  );
  learn({});
}

/** Takes a deletion back. @param {{ id: number }} status */
export function undoDeletion({ id }) {
  clearTimeout(pending.get(id));
  pending.delete(id);
  learn({});
}

/** Whether a status is about to be deleted. @param {{ id: number }} status */
export function isPending({ id }) {
  return pending.has(id);
}

/** Sends what is still to be deleted, since the session ends. */
export async function sendDeletions() {
  const ids = [...pending.keys()];
  for (const timer of pending.values()) clearTimeout(timer);
  await Promise.all(ids.map(deleteNow));
}

/** Sends what is still to be deleted, since the page goes away. */
export function flushDeletions() {
  for (const [id, timer] of pending) {
    clearTimeout(timer);
    writeAtEnd("DeleteStatus", { id });
  }
  pending.clear();
}

/** @param {number} id */
async function deleteNow(id) {
  try {
    await write("DeleteStatus", { id });
    say("The status is deleted.");
  } catch (error) {
    // Gone already, by another tab.
    if (error.status !== 404) say(`The status was not deleted. ${sentenceOf(error, navigator.onLine)}`, true);
  }
  pending.delete(id);
  refresh();
}
