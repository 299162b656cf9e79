import type { Socket } from "node:net";

/**
 * Reads the first bytes of a connection to detect its protocol. Bytes that are not taken are put back for the next reader, and
 * the socket is left paused.
 * @param timeoutMs milliseconds after which a socket that has not sent enough is closed
 * @param look gets all bytes so far and returns how many to take; undefined when it needs more
 * @param decide gets the same bytes, and how many of them were taken
 */
export function detectProtocol(
  socket: Socket,
  timeoutMs: number,
  look: (seen: Buffer) => number | undefined,
  decide: (seen: Buffer, taken: number) => void,
): void {
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once("close", () => clearTimeout(timer));
  let seen = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    const taken = look(seen);
    if (taken === undefined) return;
    clearTimeout(timer);
    socket.off("data", onData);
    socket.pause();
    if (seen.length > taken) socket.unshift(seen.subarray(taken));
    decide(seen, taken);
  };
  socket.on("data", onData);
}
