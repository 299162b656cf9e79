import { spawn } from "node:child_process";
import type { Socket } from "node:net";

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
