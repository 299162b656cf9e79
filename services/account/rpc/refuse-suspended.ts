import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { suspendedActor, unavailable } from "../../platform/errors.ts";
import type { AccountContext } from "../context.ts";

/**
 * Asks the social service whether a user is suspended, and then refuses the write. A user without a profile is not suspended.
 * @throws PermissionDenied `Suspended`; Unavailable when the social service gives no answer
 */
export async function refuseSuspended(ctx: AccountContext, userId: bigint, call: HandlerContext): Promise<void> {
  // As long as the caller waits.
  const timeoutMs = call.timeoutMs();
  const limits = { signal: call.signal, ...(timeoutMs !== undefined && { timeoutMs }) };
  try {
    await ctx.profiles.getProfile({ userId }, limits);
  } catch (error) {
    const { code } = ConnectError.from(error);
    // An anonymous read of a profile is denied only for a suspension.
    if (code === Code.PermissionDenied) throw suspendedActor();
    if (code !== Code.NotFound) throw unavailable(error);
  }
}
