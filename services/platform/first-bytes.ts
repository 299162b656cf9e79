import type { Socket } from "node:net";

/**
 * Reads what a connection says first, and puts back for whoever reads on what is not taken; the socket is left paused.
 * @param patience milliseconds after which a socket that has not said enough is closed
 * @param look is given all that has come, and says how many bytes of it to take; undefined: more have to come
 * @param decide is given what look saw last, and how many bytes of it were taken
 */
export function readFirstBytes(
  socket: Socket,
  patience: number,
  look: (seen: Buffer) => number | undefined,
  decide: (seen: Buffer, taken: number) => void,
): void {
  const timer = setTimeout(() => socket.destroy(), patience);
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
