import type { HandlerContext } from "@connectrpc/connect";
import type { AccountContext } from "../context.ts";
import type { Hashing } from "../hashing/passwords.ts";
import { type Credentials, findCredentials } from "../store/find-credentials.ts";

/**
 * Checks a user's password once more, in one turn of hashing, so that a stolen session guesses it no faster than a sign-in does.
 * @param judge gets the user's credentials, undefined without an account; returns the result of the check, undefined for a wrong
 * password
 * @throws ResourceExhausted with the seconds to wait
 */
export function provePassword<T extends { userId: bigint }>(
  ctx: AccountContext,
  userId: bigint,
  call: HandlerContext,
  judge: (credentials: Credentials | undefined, hashing: Hashing) => Promise<T | undefined>,
): Promise<T | undefined> {
  return ctx.limits.passwordChange(call.requestHeader, userId, async () => {
    const credentials = await findCredentials(ctx.pool, userId);
    return ctx.passwords.inTurn(call.signal, (hashing) => judge(credentials, hashing));
  });
}
