import type { HandlerContext } from "@connectrpc/connect";
import type { AccountContext } from "../context.ts";
import type { Hashing } from "../hashing/passwords.ts";
import { type Credentials, findCredentials } from "../store/find-credentials.ts";
import { endingSessions } from "./ending-sessions.ts";

/**
 * Checks a user's password once more, in one turn of hashing, so that a stolen session guesses it no faster than a sign-in does. A wrong
 * one may have been right a moment ago, before a call that changed it or deleted the account, and that has not yet announced the ends of the
 * sessions: they are announced here.
 * @param judge gets the user's credentials, undefined without an account; returns the result of the check, undefined for a wrong
 * password
 * @throws ResourceExhausted with the seconds to wait
 */
export async function provePassword<T extends { userId: bigint }>(
  ctx: AccountContext,
  userId: bigint,
  call: HandlerContext,
  judge: (credentials: Credentials | undefined, hashing: Hashing) => Promise<T | undefined>,
): Promise<T | undefined> {
  const proof = await ctx.limits.passwordChange(call.requestHeader, userId, async () => {
    const credentials = await findCredentials(ctx.pool, userId);
    return ctx.passwords.inTurn(call.signal, (hashing) => judge(credentials, hashing));
  });
  if (proof === undefined) await endingSessions(ctx, (_, end) => end.alreadyOf(userId));
  return proof;
}
