import { writeSync } from "node:fs";
import type { DestinationStream } from "pino";

/**
 * Standard output for the lines of a log. Lines that cannot be written, such as on a full disk, are lost. The library's own destination
 * throws such an error and then tries for ever to write the rest, so that the process neither serves nor ends.
 */
export const standardOutput: DestinationStream = { write };

const fd = 1;
/** Milliseconds after which a pipe that is full is tried again, and how often until the line is lost. */
const busyMs = 10;
const attempts = 100;
const pause = new Int32Array(new SharedArrayBuffer(4));

function write(line: string): void {
  let rest = Buffer.from(line);
  for (let attempt = 0; rest.length > 0 && attempt < attempts; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      attempt++;
      Atomics.wait(pause, 0, 0, busyMs);
    }
  }
}
