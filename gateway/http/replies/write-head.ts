import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Writes the head of a reply, as `response.writeHead` does. For each reply Node checks every field and joins them, which is a
 * tenth to a quarter of what a cached reply costs; but heads of pages repeat. So the text that Node made is used again, in the second
 * that its Date names.
 * @param head the same array for the same fields
 */
export function writeHead(request: IncomingMessage, response: ServerResponse, status: number, head: string[]): void {
  const raw: WithHeadText = response;
  // Node closes some other connections, and its text says so.
  if (!response.shouldKeepAlive || raw.maxRequestsOnConnectionReached || request.httpVersion !== "1.1") {
    return void response.writeHead(status, head);
  }
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1_000).toUTCString();
    texts = new Map();
  }
  const known = texts.get(head);
  if (known?.status === status) {
    response.statusCode = status;
    raw._header = known.text;
    return;
  }
  response.writeHead(status, head);
  const text = raw._header;
  // Node's own clock may still name the second before.
  const isOfNow = typeof text === "string" && text.length <= maxLength && text.includes(date);
  if (isOfNow && texts.size < maxTexts) texts.set(head, { status, text });
}

interface HeadText {
  status: number;
  text: string;
}

/** Fields of Node: where `writeHead` leaves its result, without which no text is used again, and whether the connection ends by a limit. */
type WithHeadText = ServerResponse & { _header?: unknown; maxRequestsOnConnectionReached?: boolean };

/** The heads that were sent in this second. */
let texts = new Map<readonly string[], HeadText>();

/** Since 1970, and as a head names it. */
let second = 0;
let date = "";

/** Heads in one second. */
const maxTexts = 2_000;

/** Characters of a head: a client's Origin may be long, and is part of it. Others have about 900. */
const maxLength = 2_048;
