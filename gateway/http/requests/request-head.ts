import type { IncomingMessage } from "node:http";
import { shortHeadMemory } from "../limits/limits.ts";

/** Bytes of the header lines, names and values with their colons and line ends. */
export function headerBytes({ rawHeaders }: IncomingMessage): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length + 2;
  return bytes;
}

/** Whether a request's target and headers take so little memory that they need no budget. */
export function isShortHead(request: IncomingMessage): boolean {
  return headMemory(request) <= shortHeadMemory;
}

/** Bytes of memory that a request's target and headers take: the texts, and 48 for each name and each value (measured). */
export function headMemory(request: IncomingMessage): number {
  return (request.url as string).length + headerBytes(request) + 48 * request.rawHeaders.length;
}
