import type { Socket } from "node:net";
import type { AssembledBytes } from "../../rendering/assembled-bytes.ts";
import { maxBytesAssembled } from "../limits/limits.ts";

/** The reply to one request, whose head is known. */
export interface BodyWriter {
  /** Writes to the socket. Within the call Node passes the bytes to the kernel, and stores those that the kernel does not take. */
  write(bytes: Buffer): void;
  /** Calls back once when the client has taken all bytes, or the connection has ended. */
  onceSent(action: () => void): void;
}

/**
 * Assembles a body and sends it. The memory is used again for the next one, unless the kernel does not take all bytes at once: a new
 * buffer of some 100 KB would cost more than assembling.
 * @param start ASCII to send before the body
 */
export function sendAssembled(start: string, body: AssembledBytes, socket: Socket, writer: BodyWriter): void {
  const length = start.length + body.length;
  const size = sizeFor(length);
  const buffer = free.get(size) ?? Buffer.allocUnsafeSlow(size);
  free.delete(size);
  // What is behind the end is of another reply.
  if (body.writeTo(buffer, buffer.write(start, "latin1")) !== length) throw new Error("A body has another length");
  writer.write(buffer.subarray(0, length));
  if (socket.writableLength > 0) writer.onceSent(holdAssembled(length));
  else if (size <= maxFree) free.set(size, buffer);
}

/** Whether another body may be assembled. Each is in memory until its client has taken it. */
export function mayAssemble(): boolean {
  return waitingBytes < maxBytesAssembled;
}

/** Counts bytes as waiting, until the result is called once. */
export function holdAssembled(length: number): () => void {
  waitingBytes += length;
  return () => {
    waitingBytes -= length;
  };
}

/** Bytes of bodies that clients have not taken yet. */
let waitingBytes = 0;

/** Buffers that are not in use, by their size. */
const free = new Map<number, Buffer>();

/** Bytes of the largest buffer that is used again. */
const maxFree = 1024 * 1024;

/** The size of a buffer for so many bytes, at most a quarter more: few sizes, so that a buffer fits many bodies. */
function sizeFor(length: number): number {
  const step = 2 ** Math.max(12, 29 - Math.clz32(length));
  return Math.ceil(length / step) * step;
}
