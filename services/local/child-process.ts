import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

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

/**
 * Ends a process when this one ends, for whatever reason: a shell waits for the end of a pipe that only this process
 * holds open, and then sends SIGINT. For systems without `setpriv --pdeathsig`.
 */
export function watch(pid: number): { stop(): void } {
  const shell = spawn("/bin/sh", ["-c", 'read line; kill -INT "$1"', "sh", `${pid}`], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    // In a session of its own it outlives ^C and a hang-up.
    detached: true,
  });
  // No shell: without one initdb would have failed before.
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  // Neither keeps this process alive; the server does.
  shell.unref();
  (shell.stdin as Socket).unref();
  return { stop: () => void shell.kill("SIGKILL") };
}
