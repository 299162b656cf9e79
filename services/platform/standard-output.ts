import { write, writeSync } from "node:fs";
import type { DestinationStream } from "pino";

/**
 * Standard output for the lines of a log. What cannot be written, as on a full disk, is lost. The library's own destination throws such
 * an error, which ends the process, and then tries for ever to write the rest: such a process neither serves nor ends.
 */
export const standardOutput: DestinationStream = { write: add };

const fd = 1;
/** Milliseconds until a pipe that takes nothing at the moment is tried again. */
const busyMs = 100;
/** Lines that wait while others are written. */
let waiting = "";
let isWriting = false;

function add(line: string): void {
  waiting += line;
  if (!isWriting) writeWaiting();
}

function writeWaiting(): void {
  const bytes = Buffer.from(waiting);
  waiting = "";
  isWriting = bytes.length > 0;
  if (isWriting) writeAll(bytes);
}

function writeAll(bytes: Buffer): void {
  write(fd, bytes, (error, count) => {
    if (error?.code === "EAGAIN") return void setTimeout(writeAll, busyMs, bytes);
    const rest = error === null ? bytes.subarray(count) : bytes.subarray(bytes.length);
    if (rest.length > 0) writeAll(rest);
    else writeWaiting();
  });
}

// What is being written the process itself finishes.
process.once("exit", () => {
  try {
    writeSync(fd, waiting);
  } catch {
    // It is lost, as above.
  }
});
