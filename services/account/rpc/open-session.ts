import type { HandlerContext } from "@connectrpc/connect";
import type { AccountContext } from "../context.ts";
import { parseLogin } from "../domain/login.ts";
import { newSessionId, sessionIdHash } from "../domain/session-id.ts";
import { wrongPassword } from "../domain/wrong-password.ts";
import type { Hashing } from "../hashing/passwords.ts";
import { type Credentials, findCredentialsByLogin } from "../store/find-credentials.ts";
import { insertSession } from "../store/insert-session.ts";
import { lockPassword } from "../store/lock-password.ts";
import { strengthenHash } from "../store/update-password.ts";
import { endingSessions } from "./ending-sessions.ts";

/** Who wants a session, and by what. */
export interface SessionWish {
  userNameOrEmail: string;
  password: string;
  /** The session that was presented so far, which ends; empty for none. */
  sessionId: string;
}

/**
 * Opens a new session with a password. An unknown user costs the same hash and gets the same answer as a wrong password.
 * @throws Unauthenticated, and ResourceExhausted with the seconds to wait
 */
export async function openSession(ctx: AccountContext, wish: SessionWish, call: HandlerContext) {
  const check = () => provenCredentials(ctx, wish, call);
  const credentials = await ctx.limits.signIn(call.requestHeader, wish.userNameOrEmail, check);
  if (credentials === undefined) throw wrongPassword();

  const { stronger, userId, userName, displayName } = credentials;
  const sessionId = newSessionId();
  const expiresAt = await endingSessions(ctx, async (db, end) => {
    // The password may have changed since it was read; then this sign-in came too late.
    const isUnchanged = stronger
      ? await strengthenHash(db, credentials, stronger)
      : await lockPassword(db, credentials);
    if (!isUnchanged) throw wrongPassword();
    if (wish.sessionId !== "") await end.one(sessionIdHash(wish.sessionId));
    const session = { idHash: sessionIdHash(sessionId), signedIn: true, maxAge: ctx.config.session.maxAge };
    return insertSession(db, { ...session, userId });
  });
  return { userId, userName, displayName, sessionId, expiresAt };
}

/** The credentials, if the password is theirs, and the hash that is to replace theirs, if any. */
async function provenCredentials(
  ctx: AccountContext,
  { userNameOrEmail, password }: SessionWish,
  call: HandlerContext,
) {
  const login = parseLogin(userNameOrEmail);
  const credentials = login === undefined ? undefined : await findCredentialsByLogin(ctx.pool, login);
  return ctx.passwords.inTurn(call.signal, async (hashing) => {
    const right = await hashing.isRight(password, credentials?.passwordHash);
    if (!right || credentials === undefined) return undefined;
    return { ...credentials, stronger: await strongerHash(hashing, password, credentials) };
  });
}

/** Settings may have grown since the hash was made; only now the password is there to make a new one. */
async function strongerHash(hashing: Hashing, password: string, credentials: Credentials) {
  const isWeak = credentials.passwordHash !== undefined && hashing.isWeak(credentials.passwordHash);
  return isWeak ? hashing.hash(password) : undefined;
}
