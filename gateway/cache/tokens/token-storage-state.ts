import type { Log } from "../../../services/platform/log.ts";

/** Whether freshness tokens may be stored in Redis. */
export interface TokenStorageState {
  isEnabled(): boolean;
  enable(): void;
  /** @param reason for the log */
  disable(reason: string): void;
}

/**
 * Disabled until the first `enable()`. A change is logged only once it has lasted: for a moment after a process or Redis
 * started, the other processes do not know of it yet.
 * @param of whose tokens, for the log
 * @param gauge where metrics read the state
 */
export function createTokenStorageState(log: Log, of: string, gauge: { isStored: 0 | 1 }): TokenStorageState {
  let state: string | undefined;
  let logged: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  function set(next: string): void {
    if (next === state) return;
    state = next;
    gauge.isStored = next === enabled ? 1 : 0;
    clearTimeout(timer);
    timer = setTimeout(logChange, lastingMs).unref();
  }

  function logChange(): void {
    if (state === logged) return;
    logged = state;
    if (state === enabled) log.info({ of }, "storing freshness tokens in Redis");
    else log.warn({ of, reason: state }, "freshness tokens are not stored in Redis");
  }

  return { isEnabled: () => state === enabled, enable: () => set(enabled), disable: set };
}

/** The enabled state; any other one is the reason why it is disabled. */
const enabled = "enabled";

/** Milliseconds after which a change is logged. */
const lastingMs = 2_000;
