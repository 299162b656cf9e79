import type { IncomingMessage } from "node:http";

/** Bytes of the header lines, names and values with their colons and line ends. */
export function headerBytes({ rawHeaders }: IncomingMessage): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length + 2;
  return bytes;
}

/** Bytes of memory that a request's target and headers take: the texts, and 48 for each name and each value (measured). */
export function headMemory(request: IncomingMessage): number {
  return (request.url as string).length + headerBytes(request) + 48 * request.rawHeaders.length;
}
