import type { ChildProcess } from "node:child_process";

const children = new Set<ChildProcess>();

/** Ends a process when this one ends before it, by an error or a signal: a bench leaves nothing running. */
export function endWithUs(child: ChildProcess): void {
  if (children.size === 0) listen();
  children.add(child);
  child.once("exit", () => children.delete(child));
}

let isListening = false;

function listen(): void {
  if (isListening) return;
  isListening = true;
  process.on("exit", () => children.forEach((child) => child.kill()));
  // Without a listener a signal ends the process at once, and "exit" is never heard of.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
}
