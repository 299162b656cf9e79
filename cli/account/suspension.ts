import { callWithRetries } from "../call.ts";
import { counted } from "../reporter.ts";
import type { AccountSession } from "./account-session.ts";
import { findUser } from "./find-user.ts";

/** Suspends a user and ends all sessions. After an interruption the same command continues. */
export async function suspend(session: AccountSession, name: string): Promise<number> {
  const { clients, out } = session;
  const { userId, userName } = await findUser(clients, name);
  await untilComplete(session, "Suspend", (afterUserId) => clients.moderation.suspend({ userId, afterUserId }));
  const { ended } = await callWithRetries("EndSessions", () => clients.operator.endSessions({ userId }));
  out.write(`${userName} is suspended, ${counted(ended, "session")} ended\n`);
  return 0;
}

/** Ends a suspension. */
export async function reinstate(session: AccountSession, name: string): Promise<number> {
  const { clients, out } = session;
  const { userId, userName } = await findUser(clients, name);
  await untilComplete(session, "Reinstate", (afterUserId) => clients.moderation.reinstate({ userId, afterUserId }));
  out.write(`${userName} is not suspended\n`);
  return 0;
}

/** Repeats the call until all users who reposted this one are processed. */
async function untilComplete(
  { onStop }: AccountSession,
  method: string,
  call: (afterUserId: bigint) => Promise<{ nextAfterUserId: bigint }>,
): Promise<void> {
  onStop(() => "Reposts by others may be shown as before. Run the same command again to continue.");
  let afterUserId = 0n;
  do {
    const after = afterUserId;
    afterUserId = (await callWithRetries(method, () => call(after))).nextAfterUserId;
  } while (afterUserId !== 0n);
  onStop(() => "");
}
