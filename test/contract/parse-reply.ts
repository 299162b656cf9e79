import type { Header } from "./case-file.ts";

export interface Reply {
  status: number;
  /** Names in lower case. */
  headers: Header[];
  body: string;
}

/**
 * Parses the first final reply (RFC 9112) in what a server sent. Everything after its headers is its body, so that superfluous bytes
 * are seen. Throws Error when it is truncated, longer than announced, or not UTF-8.
 */
export function parseReply(received: Buffer, isHead: boolean): Reply {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) throw new Error(`no reply: ${JSON.stringify(received.toString("latin1").slice(0, 200))}`);
  const [first = "", ...lines] = received.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  const rest = received.subarray(end + 4);
  if (status >= 100 && status < 200) return parseReply(rest, isHead);
  const headers = lines.map((line): Header => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, headers, body: decode(bodyOf(rest, headers, isHead)) };
}

function bodyOf(rest: Buffer, headers: Header[], isHead: boolean): Buffer {
  const header = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  if (isHead) return rest;
  if (/chunked/i.test(header("transfer-encoding") ?? "")) return unchunk(rest);
  const length = header("content-length");
  if (length !== undefined && Number(length) !== rest.length) {
    throw new Error(`a body of ${length} bytes was announced, ${rest.length} came`);
  }
  return rest;
}

function unchunk(rest: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = rest.indexOf("\r\n", at);
    const size = Number.parseInt(rest.subarray(at, end).toString("latin1"), 16);
    if (end === -1 || Number.isNaN(size)) throw new Error("a chunk is cut off");
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function decode(bytes: Buffer): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
