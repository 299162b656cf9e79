import type { Client } from "@connectrpc/connect";
import type { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import type { VersionService } from "../../proto/gen/social/v1/version_service_pb.ts";
import { chunk } from "../../services/platform/chunk.ts";
import { createLru } from "../../services/platform/lru.ts";
import type { Histogram } from "../../services/platform/metrics/instruments.ts";
import { type Ask, createGroups } from "../calls/group.ts";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";

/** What tells the versions of subjects. */
export interface VersionServices {
  sessions: Pick<Client<typeof SessionService>, "findSessionUsers">;
  versions: Pick<Client<typeof VersionService>, "listVersions">;
}

/** The version of a subject that does not exist. It names no state: another user may have the name later. */
export const absentVersion = "absent";

/** The version of a name that no user has. */
export const unknownVersion = "unknown";

/** The version of a suspended user, who may return in any state. */
export const suspendedVersion = "suspended";

/** The subject of a user as a viewer. No screen name has a colon. */
export function viewerSubject(userId: string): string {
  return `${viewerPrefix}${userId}`;
}

const viewerPrefix = "viewer:";

/**
 * Asks the social service for the versions of users: of authors by name key, of viewers by `viewerSubject`. The service reads its
 * primary database, in a call that begins after the caller asked.
 * @param reuseMs milliseconds for which a version may be used again (REUSE_VERSIONS_MS)
 */
export function createAskVersions({ versions }: VersionServices, reuseMs: number, keysInGroup: Histogram): Ask<string> {
  async function list(subjects: readonly string[], deadline: Deadline): Promise<string[]> {
    const isViewer = (subject: string) => subject.startsWith(viewerPrefix);
    const answer = await versions.listVersions(
      {
        screenNames: subjects.filter((subject) => !isViewer(subject)),
        viewerIds: subjects.filter(isViewer).map((subject) => BigInt(subject.slice(viewerPrefix.length))),
      },
      { timeoutMs: millisecondsUntil(deadline) },
    );
    const [authors, viewers] = [answer.versions.values(), answer.viewerVersions.values()];
    return subjects.map((subject) => (isViewer(subject) ? viewers : authors).next().value ?? absentVersion);
  }
  return reusing(askInGroups(list, keysInGroup), reuseMs);
}

/** Gives the user ids of sessions, "" for one that is unknown or has ended. */
export function createAskSessions({ sessions }: VersionServices, reuseMs: number, keysInGroup: Histogram): Ask<string> {
  async function find(sessionIds: readonly string[], deadline: Deadline): Promise<string[]> {
    const { userIds } = await sessions.findSessionUsers(
      { sessionIds: [...sessionIds] },
      { timeoutMs: millisecondsUntil(deadline) },
    );
    return userIds.map((id) => (id === 0n ? "" : `${id}`));
  }
  return reusing(askInGroups(find, keysInGroup), reuseMs);
}

function askInGroups(list: (keys: readonly string[], deadline: Deadline) => Promise<string[]>, keysInGroup: Histogram) {
  return createGroups<string>(
    async (keys, deadline) => (await Promise.all(chunk(keys, maxInCall).map((some) => list(some, deadline)))).flat(),
    { keysInGroup },
  );
}

/** Subjects in one call; more take several. */
const maxInCall = 2_000;

/** Answers with what was asked for less than `maxAgeMs` ago, and asks for the rest. */
function reusing(ask: Ask<string>, maxAgeMs: number): Ask<string> {
  if (maxAgeMs === 0) return ask;
  const known = createLru<{ value: string; askedAt: number }>(maxReused);
  return async (keys, deadline) => {
    const now = performance.now();
    const values = keys.map((key) => {
      const one = known.get(key);
      return one !== undefined && now - one.askedAt < maxAgeMs ? one.value : undefined;
    });
    const missing = keys.filter((_, index) => values[index] === undefined);
    if (missing.length === 0) return values as string[];
    const asked = await ask(missing, deadline);
    for (const [index, key] of missing.entries()) known.set(key, { value: asked[index] as string, askedAt: now });
    let next = 0;
    return values.map((value) => value ?? (asked[next++] as string));
  };
}

/** Versions that are remembered: two megabytes. */
const maxReused = 20_000;
