import type { HandlerContext } from "@connectrpc/connect";
import type { AccountContext } from "../context.ts";
import type { Hashing } from "../hashing/passwords.ts";
import { type Credentials, findCredentials } from "../store/find-credentials.ts";

/**
 * Lets a user prove themselves with the password once more, in one turn of hashing: with a stolen session it is guessed no
 * faster than at sign-in.
 * @param judge gives what is proved by the user's credentials, which are undefined where there is no account; undefined for
 * a wrong password
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
