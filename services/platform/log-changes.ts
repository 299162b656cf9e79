/** Notes a state; `write` logs it, and is called only if the state differs from the last logged one. */
export type NoteState = (state: boolean, write: () => void) => void;

/**
 * Logs the changes of a state, at most ten in a minute: one that changes often would fill the log. After them the state is logged again
 * when the minute is over.
 * @param logged the state that needs no line at first
 */
export function logChanges(logged?: boolean, minuteMs = 60_000): NoteState {
  let begun = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let latest: Parameters<NoteState>;
  let isWaiting = false;

  function writeLatest(): void {
    isWaiting = false;
    const [state, write] = latest;
    if (state === logged) return;
    const now = performance.now();
    if (now - begun >= minuteMs) {
      begun = now;
      lines = 0;
    }
    if (lines < maxLines) {
      lines++;
      logged = state;
      write();
    } else {
      isWaiting = true;
      setTimeout(writeLatest, begun + minuteMs - now + 1).unref();
    }
  }

  return (...noted) => {
    latest = noted;
    if (!isWaiting) writeLatest();
  };
}

/** Lines in a minute. */
const maxLines = 10;
