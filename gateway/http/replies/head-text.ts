import { STATUS_CODES } from "node:http";

/**
 * The head of a reply on a connection that stays open, as Node writes it. For each reply Node checks every field and joins them, which
 * is a tenth to a quarter of what a cached reply costs. Heads of pages repeat, so the text is used again within the second that its
 * Date names.
 * @param head names and values, checked before; the same array for the same fields
 * @param keepAliveMs milliseconds for which the server keeps an idle connection open
 */
export function headText(status: number, head: readonly string[], keepAliveMs: number): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1_000).toUTCString();
    texts = new Map();
  }
  const known = texts.get(head);
  if (known?.status === status && known.keepAliveMs === keepAliveMs) return known.text;
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let index = 0; index < head.length; index += 2) text += `${head[index]}: ${head[index + 1]}\r\n`;
  text += `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n\r\n`;
  if (text.length <= maxLength && texts.size < maxTexts) texts.set(head, { status, keepAliveMs, text });
  return text;
}

/** The heads that were sent in this second. */
let texts = new Map<readonly string[], { status: number; keepAliveMs: number; text: string }>();

/** Since 1970, and as a head names it. */
let second = 0;
let date = "";

/** Heads that are stored for one second. */
const maxTexts = 2_000;

/** Characters of a head: a client's Origin is a part of it and may be long. Other heads have about 900. */
const maxLength = 2_048;
