import { createHash, randomBytes } from "node:crypto";

/** A new session id: 256 random bits in base64url. Invitations have codes of the same kind. */
export function newSessionId(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a session id. A fast hash is enough: the id cannot be guessed. */
export function sessionIdHash(sessionId: string): Buffer {
  return createHash("sha256").update(sessionId).digest();
}
