import { useEffect, useState } from "../lib/hooks.js";
import { ask } from "./api.js";
import { readStored, store } from "./local-storage.js";
import { followNews } from "./news.js";

/** More than these are not counted at the start. */
const maxCount = 100;

/** @type {Set<() => void>} */
const listeners = new Set();

/** Says that the user has seen all mentions up to a point. @param {string} userId @param {string} newer */
export function markMentionsSeen(userId, newer) {
  store(keyOf(userId), newer);
  for (const listener of listeners) listener();
}

/** The number of mentions since the user last looked at them, on this device; 0 until it is known. @param {string | undefined} userId */
export function useNewMentions(userId) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    setCount(0);
    if (userId === undefined) return;
    let stop = () => {};
    const clear = () => setCount(0);
    const clearElsewhere = (/** @type {StorageEvent} */ { key }) => key === keyOf(userId) && clear();
    const ended = new AbortController();
    findMentions(userId, ended.signal).then(
      ({ count, newer }) => {
        if (ended.signal.aborted) return;
        setCount(count);
        const followed = { operation: "SocialMentions", fields: {}, newer };
        stop = followNews(followed, { onStatuses: ({ length }) => setCount((before) => before + length) });
      },
      // Nothing is counted where they cannot be read.
      () => {},
    );
    listeners.add(clear);
    addEventListener("storage", clearElsewhere);
    return () => {
      ended.abort();
      stop();
      listeners.delete(clear);
      removeEventListener("storage", clearElsewhere);
    };
  }, [userId]);
  return count;
}

/** The number of mentions since the stored point, and the point after them. Without a stored one all are seen. @param {string} userId @param {AbortSignal} signal */
async function findMentions(userId, signal) {
  const cursor = readStored(keyOf(userId));
  if (cursor === undefined) {
    const { newer } = await ask("SocialMentions", { take: 1 }, signal);
    store(keyOf(userId), newer);
    return { count: 0, newer };
  }
  const { results, newer } = await ask("SocialMentions", { take: maxCount, cursor }, signal);
  return { count: results.length, newer };
}

/** @param {string} userId */
function keyOf(userId) {
  return `roost.mentions.${userId}`;
}
