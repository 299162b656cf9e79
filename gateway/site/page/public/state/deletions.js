import { errorText } from "../rules/error-text.js";
import { write, writeOnClose } from "./api.js";
import { appState, changeState, notify, refresh } from "./app-state.js";

/** Milliseconds in which a deletion can be undone. */
export const undoMs = 10_000;

/** The deletions that were not sent yet, by status id. @type {Map<number, { timer: ReturnType<typeof setTimeout>, userId: string | undefined }>} */
const pending = new Map();

/** Deletes one of the user's own statuses after `undoMs`. @param {{ id: number }} status */
export function deleteLater({ id }) {
  pending.set(id, { timer: setTimeout(() => void deleteNow(id), undoMs), userId: appState.me?.userId });
  changeState({});
}

/** Undoes a deletion that was not sent yet. @param {{ id: number }} status */
export function undoDeletion({ id }) {
  clearTimeout(pending.get(id)?.timer);
  pending.delete(id);
  changeState({});
}

/** Whether a status waits to be deleted. @param {{ id: number }} status */
export function isPending({ id }) {
  return pending.has(id);
}

/** Sends the pending deletions now, before the session ends. */
export async function sendDeletions() {
  const ids = [...pending.keys()];
  for (const { timer } of pending.values()) clearTimeout(timer);
  await Promise.all(ids.map(deleteNow));
}

/** Sends the pending deletions while the page is being closed. */
export function flushDeletions() {
  for (const [id, { timer }] of pending) {
    clearTimeout(timer);
    writeOnClose("DeleteStatus", { id });
  }
  pending.clear();
}

/** @param {number} id */
async function deleteNow(id) {
  try {
    // With that user's cookie the status would be unknown.
    if (appState.me !== undefined && appState.me.userId !== pending.get(id)?.userId) {
      notify("The status was not deleted: another user is signed in.", true);
    } else {
      await write("DeleteStatus", { id });
      notify("The status is deleted.");
    }
  } catch (error) {
    // 404: another tab has deleted it.
    if (error.status !== 404) notify(`The status was not deleted. ${errorText(error)}`, true);
  }
  pending.delete(id);
  refresh();
}
