import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { counted } from "../reporter.ts";
import type { AccountCommandContext } from "./account-command-context.ts";
import { findUser } from "./find-user.ts";

/** Lists a user's sessions, or ends all of them. */
export async function userSessions(
  { clients, out }: AccountCommandContext,
  name: string,
  ends: boolean,
): Promise<void> {
  const { userId, userName } = await findUser(clients, name);
  if (ends) {
    const { ended } = await clients.operator.endSessions({ userId });
    out.write(`${counted(ended, "session")} of ${userName} ended\n`);
    return;
  }
  const headers = { [viewerHeader]: `${userId}` };
  const { sessions } = await clients.sessions.listSessions({ userId }, { headers });
  for (const { createdAt, expiresAt } of sessions)
    out.write(`since ${timeOf(createdAt)}, until ${timeOf(expiresAt)}\n`);
  out.write(`${counted(sessions.length, "session")} of ${userName}\n`);
}

/** Such as 2026-01-02 03:04 UTC. */
export function timeOf(time: Timestamp | undefined): string {
  return time === undefined ? "–" : `${timestampDate(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
