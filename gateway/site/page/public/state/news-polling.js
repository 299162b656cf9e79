import { ApiError, ask } from "./api.js";

/** Milliseconds between two questions; after failures it doubles up to the most. */
const minDelayMs = 15_000;
const maxDelayMs = 300_000;
const take = 100;

/**
 * A source of news that asks for them while the page is visible: at once when it becomes visible, has the focus or is online again.
 * @param {import("./news.js").Followed} timeline @param {import("./news.js").NewsListener} listener
 * @param {number} [firstMs] milliseconds until it asks for the first time
 * @returns {() => void} ends it
 */
export function pollNews({ operation, fields, newer }, { onStatuses, onBehind }, firstMs = minDelayMs) {
  const ended = new AbortController();
  let delay = minDelayMs;
  let timer = setTimeout(poll, firstMs);
  let isAsking = false;

  async function poll() {
    clearTimeout(timer);
    if (isAsking || document.hidden || !navigator.onLine) return;
    isAsking = true;
    try {
      await askAll();
      delay = minDelayMs;
      if (!ended.signal.aborted) onBehind?.(false);
    } catch (error) {
      if (ended.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      if (isFinal(error)) return stop();
      delay = Math.min(Math.max(delay * 2, (error.waitSeconds ?? 0) * 1_000), maxDelayMs);
      onBehind?.(true);
    } finally {
      isAsking = false;
      if (!ended.signal.aborted) timer = setTimeout(poll, delay);
    }
  }

  /** Gives the oldest news first, as they are answered. */
  async function askAll() {
    for (let count = take; count === take; ) {
      const page = await ask(operation, { ...fields, take, cursor: newer }, ended.signal);
      if (ended.signal.aborted) return;
      newer = page.newer;
      count = page.results.length;
      if (count > 0) onStatuses(page.results, newer);
    }
  }

  function stop() {
    ended.abort();
    clearTimeout(timer);
  }

  const { signal } = ended;
  document.addEventListener("visibilitychange", poll, { signal });
  addEventListener("focus", poll, { signal });
  addEventListener("online", poll, { signal });
  return stop;
}

/** Whether asking again would fail again: the session ended, or the operation is not served. @param {ApiError} error */
function isFinal({ status }) {
  return status >= 400 && status < 500 && status !== 429;
}
