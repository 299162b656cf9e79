import type { Server, Socket } from "node:net";
import { detectProtocol } from "../../../services/platform/protocol-detection.ts";
import { compileRanges } from "./trusted-proxies.ts";

/**
 * Reads the header with which a balancer begins each connection (the PROXY protocol of HAProxy, version 2), and sets the socket's
 * address to the client's, for all code that reads it. Connections from other addresses are not changed. A balancer's connection
 * without the header is closed, since its client is unknown.
 * @param balancers addresses, ranges, and names of ranges
 */
export function readProxyProtocol(server: Server, balancers: readonly string[]): void {
  if (balancers.length === 0) return;
  const isBalancer = compileRanges(balancers);
  const accept = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const serve = () => {
      for (const listener of accept) listener.call(server, socket);
    };
    if (isBalancer(socket.remoteAddress)) readHeader(socket, serve);
    else serve();
  });
}

/** Every header of version 2 begins with it. */
const signature = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
/** Bytes of signature, command, family and length. */
const fixed = 16;
/** Bytes of a header, with all that a balancer may want to add. */
const maxProxyHeaderBytes = 4_096;
/** Milliseconds for the header, which a balancer sends at once. */
const headerTimeoutMs = 2_000;

function readHeader(socket: Socket, serve: () => void): void {
  const hangUp = () => void socket.destroy();
  socket.on("end", hangUp).on("error", hangUp);
  const readLength = (seen: Buffer) => {
    const length = headerLength(seen);
    if (length === undefined) return hangUp();
    return seen.length < length ? undefined : length;
  };
  detectProtocol(socket, headerTimeoutMs, readLength, (seen, length) => {
    socket.off("end", hangUp).off("error", hangUp);
    if (!takeAddress(socket, seen.subarray(0, length))) return hangUp();
    serve();
    socket.resume();
  });
}

/** The length of the header in bytes, by the bytes so far; undefined when it is no such header. */
function headerLength(bytes: Buffer): number | undefined {
  const begun = Math.min(bytes.length, signature.length);
  if (!bytes.subarray(0, begun).equals(signature.subarray(0, begun))) return undefined;
  if (bytes.length < fixed) return fixed;
  const length = fixed + bytes.readUInt16BE(14);
  const isVersion2 = bytes.readUInt8(12) >> 4 === 2;
  return isVersion2 && length <= maxProxyHeaderBytes ? length : undefined;
}

/** Families of addresses over a stream, each with its number of bytes. */
const families = new Map([
  [0x11, 4],
  [0x21, 16],
]);

/**
 * Sets the socket's address to that in the header. A header of the balancer's own requests (LOCAL) or of another address family
 * has none. Returns false when the header is invalid.
 */
function takeAddress(socket: Socket, header: Buffer): boolean {
  const command = header.readUInt8(12) & 0xf;
  const size = families.get(header.readUInt8(13));
  if (command === local || (command === proxy && size === undefined)) return true;
  if (command !== proxy || size === undefined || header.length < fixed + 2 * size + 4) return false;
  const source = header.subarray(fixed, fixed + size);
  Object.defineProperty(socket, "remoteAddress", { value: addressText(source) });
  Object.defineProperty(socket, "remotePort", { value: header.readUInt16BE(fixed + 2 * size) });
  return true;
}

/** Commands. */
const local = 0;
const proxy = 1;

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16));
  // In the form of RFC 5952.
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
