import { callWithRetries } from "../call.ts";
import { counted } from "../reporter.ts";
import type { AccountCommandContext } from "./account-command-context.ts";
import { findUser } from "./find-user.ts";

/** Suspends a user and ends all sessions. After an interruption the same command continues. */
export async function suspend(context: AccountCommandContext, name: string): Promise<number> {
  const { clients, out } = context;
  const { userId, userName } = await findUser(clients, name);
  await untilComplete(context, "Suspend", (afterUserId) => clients.moderation.suspend({ userId, afterUserId }));
  const { ended } = await callWithRetries("EndSessions", () => clients.operator.endSessions({ userId }));
  out.write(`${userName} is suspended, ${counted(ended, "session")} ended\n`);
  return 0;
}

/** Ends a suspension. */
export async function reinstate(context: AccountCommandContext, name: string): Promise<number> {
  const { clients, out } = context;
  const { userId, userName } = await findUser(clients, name);
  await untilComplete(context, "Reinstate", (afterUserId) => clients.moderation.reinstate({ userId, afterUserId }));
  out.write(`${userName} is not suspended\n`);
  return 0;
}

/** Repeats the call until all users who reposted this one are processed. */
async function untilComplete(
  { onStop }: AccountCommandContext,
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
