import { counted } from "../reporter.ts";
import type { AccountCommandContext } from "./account-command-context.ts";
import { findUser } from "./find-user.ts";

/** Suspends a user and ends all sessions. After an interruption the same command continues. */
export async function suspend(context: AccountCommandContext, name: string): Promise<void> {
  const { clients, out } = context;
  const { userId, userName } = await findUser(clients, name);
  await untilComplete(context, (afterUserId) => clients.moderation.suspend({ userId, afterUserId }));
  const { ended } = await clients.operator.endSessions({ userId });
  out.write(`${userName} is suspended, ${counted(ended, "session")} ended\n`);
}

/** Ends a suspension. */
export async function reinstate(context: AccountCommandContext, name: string): Promise<void> {
  const { clients, out } = context;
  const { userId, userName } = await findUser(clients, name);
  await untilComplete(context, (afterUserId) => clients.moderation.reinstate({ userId, afterUserId }));
  out.write(`${userName} is not suspended\n`);
}

/** Repeats the call until all users who reposted this one are processed. */
async function untilComplete(
  { onStop }: AccountCommandContext,
  call: (afterUserId: bigint) => Promise<{ nextAfterUserId: bigint }>,
): Promise<void> {
  onStop(
    () => "For up to two minutes reposts by others may be shown as before. Run the same command again to continue now.",
  );
  let afterUserId = 0n;
  do {
    ({ nextAfterUserId: afterUserId } = await call(afterUserId));
  } while (afterUserId !== 0n);
  onStop(() => "");
}
