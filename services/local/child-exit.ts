import type { ChildProcess } from "node:child_process";

/** How a process ended: its code, or the signal that ended it; neither when it could not be started. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Resolves when a process has ended, or could not be started. */
export function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    const { exitCode: code, signalCode: signal } = child;
    if (code !== null || signal !== null) return resolve({ code, signal });
    child.once("exit", (code, signal) => resolve({ code, signal }));
    // Node reports a signal that cannot be sent by the same event.
    child.on("error", () => child.pid === undefined && resolve({ code: null, signal: null }));
    if (child.pid === undefined) resolve({ code: null, signal: null });
  });
}
