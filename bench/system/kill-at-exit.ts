const ends: (() => unknown)[] = [];

/**
 * Calls `end` when this process exits, also by an error or a signal, so that a bench leaves nothing running.
 * @param end kills a process at once; it may have ended before
 */
export function killAtExit(end: () => unknown): void {
  if (ends.push(end) > 1) return;
  process.on("exit", () => ends.forEach((kill) => kill()));
  // Without a listener a signal ends the process at once, and "exit" is never emitted.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
}
