import type { Log } from "../../services/platform/log.ts";

/** Whether tokens are kept in Redis, or why not. */
export interface Keeping {
  isOn(): boolean;
  note(state: string): void;
}

/**
 * Not, until `note("kept")`. The log says of each change that lasts what it is: a process that has just started, or a Redis that
 * was started again, is known to the others a moment later.
 * @param shown where metrics see it
 */
export function createKeeping(log: Log, shown: { kept: 0 | 1 }): Keeping {
  let state: string | undefined;
  let logged: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    if (state === logged) return;
    logged = state;
    if (state === "kept") log.info("keeping freshness tokens in Redis");
    else log.warn({ reason: state }, "no freshness tokens are kept in Redis");
  }

  return {
    isOn: () => state === "kept",
    note(next) {
      if (next === state) return;
      state = next;
      shown.kept = next === "kept" ? 1 : 0;
      clearTimeout(timer);
      timer = setTimeout(tell, lastingMs).unref();
    },
  };
}

/** Milliseconds after which a state is worth a line. */
const lastingMs = 2_000;
