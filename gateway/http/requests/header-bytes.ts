import type { IncomingMessage } from "node:http";

/** Bytes of the header lines, names and values with their colons and line ends. */
export function headerBytes({ rawHeaders }: IncomingMessage): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length + 2;
  return bytes;
}
