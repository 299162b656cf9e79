import type { Client } from "@connectrpc/connect";
import type { SessionService } from "../../../proto/gen/account/v1/session_service_pb.ts";
import type { VersionService } from "../../../proto/gen/social/v1/version_service_pb.ts";
import { absentToken } from "./absent-token.ts";

/** Asks a service for the tokens of subjects, in order. Rejects with ConnectError. */
export type ListTokens = (subjectKeys: readonly string[], timeoutMs: number) => Promise<string[]>;

/** The subject key of a viewer. No screen name holds a colon. */
export function viewerKey(userId: bigint | string): string {
  return `${viewerPrefix}${userId}`;
}

const viewerPrefix = "viewer:";

/** Lists the versions of authors and viewers. */
export function listUserTokens(versions: Pick<Client<typeof VersionService>, "listVersions">): ListTokens {
  return async (subjectKeys, timeoutMs) => {
    const isViewer = (key: string) => key.startsWith(viewerPrefix);
    const request = {
      screenNames: subjectKeys.filter((key) => !isViewer(key)),
      viewerIds: subjectKeys.filter(isViewer).map((key) => BigInt(key.slice(viewerPrefix.length))),
    };
    const answer = await versions.listVersions(request, { timeoutMs });
    const [ofAuthors, ofViewers] = [answer.versions.values(), answer.viewerVersions.values()];
    return subjectKeys.map((key) => (isViewer(key) ? ofViewers : ofAuthors).next().value ?? "");
  };
}

/** Lists the users of sessions, by session id. */
export function listSessionTokens(sessions: Pick<Client<typeof SessionService>, "findSessionUsers">): ListTokens {
  return async (sessionIds, timeoutMs) => {
    const { userIds } = await sessions.findSessionUsers({ sessionIds: [...sessionIds] }, { timeoutMs });
    return userIds.map((id) => (id === 0n ? absentToken : id.toString()));
  };
}
