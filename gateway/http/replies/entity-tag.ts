import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** The strong entity tag of a reply: equal for equal bytes only (RFC 9110 §8.8.3). */
export function entityTag(json: Buffer | string): string {
  return `"${shortDigest(json)}"`;
}

/**
 * The entity tag of the reply to a request with a body, made from the body and the tags of the replies, without reading these again.
 * @param tags of the reply, or of each item's in a batch
 */
export function tagWithBody(body: Buffer, tags: readonly string[]): string {
  return `"${shortDigest(body, tags.join())}"`;
}

/** 132 bits of the SHA-256 of some bytes one after the other, as 22 characters of base64url. */
export function shortDigest(...parts: (Uint8Array | string)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("base64url").slice(0, 22);
}

/** Whether a client that asks with If-None-Match has this reply already; GET and HEAD only (RFC 9110 §13.1.2). */
export function hasAlready({ method, headers }: FastifyRequest, tag: string): boolean {
  return (method === "GET" || method === "HEAD") && isKnown(headers["if-none-match"], tag);
}

/** Whether an If-None-Match header names this tag. */
export function isKnown(known: string | undefined, tag: string): boolean {
  // Weak comparison: a proxy that compressed the reply may have weakened its tag. A tag with its quotes is part of no other one.
  return known !== undefined && (known.includes(tag) || known.trim() === "*");
}
