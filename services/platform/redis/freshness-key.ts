/**
 * The Redis key of a subject's freshness token; gateways and services share it (design §5). The braces put it and its lease
 * into one slot of a Redis Cluster.
 * @param subjectKey an author's name key, or what viewerKey gives
 */
export function freshnessKey(subjectKey: string): string {
  return `fresh:{${subjectKey}}`;
}

/** Names a viewer among all subjects. No screen name holds a colon. */
export function viewerKey(userId: bigint | string): string {
  return `${viewerPrefix}${userId}`;
}

/** The user id of a viewer's subject key; undefined for an author's. */
export function viewerIdOf(subjectKey: string): bigint | undefined {
  return subjectKey.startsWith(viewerPrefix) ? BigInt(subjectKey.slice(viewerPrefix.length)) : undefined;
}

const viewerPrefix = "viewer:";
