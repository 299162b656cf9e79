/**
 * The Redis key of a subject's freshness token, the same in gateways and services (design §5). The braces put it and its lease
 * into one slot of a Redis Cluster.
 * @param subjectKey an author's name key, or the result of viewerKey or sessionKey
 */
export function freshnessKey(subjectKey: string): string {
  return `${prefix}${subjectKey}${suffix}`;
}

/** The subject key of such a Redis key; undefined for another key. */
export function subjectKeyOf(key: string): string | undefined {
  return key.startsWith(prefix) && key.endsWith(suffix) ? key.slice(prefix.length, -suffix.length) : undefined;
}

const prefix = "fresh:{";
const suffix = "}";

/** The subject key of a viewer. No screen name holds a colon. */
export function viewerKey(userId: bigint | string): string {
  return `${viewerPrefix}${userId}`;
}

/** The subject key of a session. @param idHash SHA-256 of its id */
export function sessionKey(idHash: Buffer): string {
  return `${sessionPrefix}${idHash.toString("base64url")}`;
}

/** The SHA-256 in a session's subject key. */
export function sessionHashOf(subjectKey: string): Buffer {
  return Buffer.from(subjectKey.slice(sessionPrefix.length), "base64url");
}

export function isViewerKey(subjectKey: string): boolean {
  return subjectKey.startsWith(viewerPrefix);
}

/** The user id of a viewer's subject key; undefined for an author's. */
export function viewerIdOf(subjectKey: string): bigint | undefined {
  return isViewerKey(subjectKey) ? BigInt(subjectKey.slice(viewerPrefix.length)) : undefined;
}

const viewerPrefix = "viewer:";
const sessionPrefix = "session:";
