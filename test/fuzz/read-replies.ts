import type { FuzzReply } from "./fuzz-case.ts";

/** A reply that was received over a socket, to an unknown request. */
export interface RawReply extends FuzzReply {
  /** Whether there is no body in spite of its headers, as only replies to HEAD may have it. */
  bodyless: boolean;
}

/**
 * Parses everything that a server sent as HTTP/1.1 replies, strictly.
 * @param mayBeHead whether a request may have been HEAD, so that a body may be missing
 * @throws Error when bytes are left over, or break RFC 9112
 */
export function readReplies(bytes: Buffer, mayBeHead: boolean): RawReply[] {
  const replies: RawReply[] = [];
  for (let rest = bytes.toString("latin1"); rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) throw new Error(`no end of a reply's headers: ${rest.slice(0, 200)}`);
    const reply = readHead(rest.slice(0, end));
    rest = rest.slice(end + 4);
    const length = lengthOf(reply);
    reply.bodyless = mayBeHead && length > 0 && (rest === "" || rest.startsWith("HTTP/1.1 "));
    const taken = reply.bodyless ? 0 : length;
    if (rest.length < taken) throw new Error(`${rest.length} of ${taken} bytes of a body`);
    reply.body = Buffer.from(rest.slice(0, taken), "latin1");
    rest = rest.slice(taken);
    replies.push(reply);
  }
  return replies;
}

function readHead(head: string): RawReply {
  const [first = "", ...lines] = head.split("\r\n");
  const status = /^HTTP\/1\.1 ([1-5]\d\d) [ -~]*$/.exec(first)?.[1];
  if (status === undefined) throw new Error(`not a status line: ${first}`);
  const headers = lines.map((line) => {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+): ?([ -~\x80-\xff\t]*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a header: ${line}`);
    return [name.toLowerCase(), value];
  });
  if (new Set(headers.map(([name]) => name)).size !== headers.length) throw new Error(`a header twice: ${head}`);
  return { status: Number(status), headers: Object.fromEntries(headers), body: Buffer.alloc(0), bodyless: false };
}

// The gateway sends a Content-Length with every reply.
function lengthOf({ status, headers }: RawReply): number {
  if (status < 200 || status === 204 || status === 304) return 0;
  const length = headers["content-length"];
  if (length === undefined || !/^\d+$/.test(length)) throw new Error(`a reply of length ${length}`);
  return Number(length);
}
