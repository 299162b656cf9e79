import { pollNews } from "./news-polling.js";

/** The paths of the timelines that are streamed (contract §15). @type {Record<string, string>} */
const paths = { SocialHome: "/timelines/home/live" };

/** Milliseconds until a stream has to be open. */
const openMs = 10_000;
/** Milliseconds after which a stream is opened anew: a connection that was lost without a word is noticed then. */
const renewMs = 120_000;
/** Milliseconds that a stream has to last for the waits to begin anew. */
const stableMs = 10_000;
/** Milliseconds until a stream is tried again: after an end, after a refusal, and at most; it doubles. */
const endedDelayMs = 1_000;
const refusedDelayMs = 30_000;
const maxDelayMs = 300_000;
/** Milliseconds over which the questions of many pages are spread, when they lose their streams together. */
const spreadMs = 2_000;
/** Milliseconds that a page may be hidden before it leaves its connection to others. */
const hiddenMs = 2_000;

/** Whether a timeline can be streamed here. @param {{ operation: string }} timeline */
export function canStream({ operation }) {
  return operation in paths && "EventSource" in globalThis;
}

/**
 * A source of news that reads a stream while the page is visible, and polls while there is none. Both go on at the point that the other
 * has reached, and never at the same time, so each status is told once.
 * @type {import("./news.js").NewsSource}
 */
export function streamNews({ operation, fields, newer }, { onStatuses, onReset, onBehind }) {
  const ended = new AbortController();
  let cursor = newer;
  let failures = 0;
  /** Ends what gives the news now; undefined while nothing does. @type {(() => void) | undefined} */
  let stop;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let nextStep;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let hiding;

  function stream() {
    pause();
    const source = new EventSource(`${paths[operation]}?${new URLSearchParams({ lastEventId: cursor })}`);
    let openedAt = Number.POSITIVE_INFINITY;
    stop = () => source.close();
    nextStep = setTimeout(() => poll(false), openMs);
    source.onopen = () => {
      openedAt = performance.now();
      clearTimeout(nextStep);
      nextStep = setTimeout(stream, renewMs);
      onBehind?.(false);
    };
    // Not left to the browser, which would go on for ever, or never again.
    source.onerror = () => {
      if (performance.now() - openedAt > stableMs) failures = 0;
      poll(source.readyState === EventSource.CLOSED);
    };
    source.addEventListener("status", ({ data, lastEventId }) => tell([JSON.parse(data)], lastEventId));
    source.addEventListener("reset", () => onReset?.());
  }

  /** @param {boolean} isRefused */
  function poll(isRefused) {
    pause();
    failures += 1;
    const firstMs = failures > 1 || isRefused ? Math.random() * spreadMs : undefined;
    stop = pollNews({ operation, fields, newer: cursor }, { onStatuses: tell, onBehind }, firstMs);
    const delay = (isRefused ? refusedDelayMs : endedDelayMs) * 2 ** (failures - 1);
    nextStep = setTimeout(stream, Math.min(delay, maxDelayMs) * (1 + Math.random()));
  }

  function pause() {
    stop?.();
    stop = undefined;
    clearTimeout(nextStep);
  }

  /** @param {any[]} statuses @param {string} newer */
  function tell(statuses, newer) {
    cursor = newer;
    onStatuses(statuses, newer);
  }

  function follow() {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(pause, hiddenMs);
    else if (stop === undefined) stream();
  }

  const { signal } = ended;
  document.addEventListener("visibilitychange", follow, { signal });
  addEventListener("pageshow", follow, { signal });
  addEventListener("pagehide", pause, { signal });
  addEventListener("offline", pause, { signal });
  addEventListener(
    "online",
    () => {
      failures = 0;
      if (!document.hidden) stream();
    },
    { signal },
  );
  if (!document.hidden) stream();
  return () => {
    ended.abort();
    clearTimeout(hiding);
    pause();
  };
}
