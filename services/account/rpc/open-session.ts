import type { HandlerContext } from "@connectrpc/connect";
import { transaction } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import { wrongPassword } from "../domain/errors.ts";
import { parseLogin } from "../domain/login.ts";
import { newSessionId, sessionIdHash } from "../domain/session-id.ts";
import { endOldestSessions, endSession } from "../store/end-sessions.ts";
import { findCredentialsByLogin } from "../store/find-credentials.ts";
import { insertSession } from "../store/insert-session.ts";
import { listHashCosts } from "../store/list-hash-costs.ts";
import { lockPassword } from "../store/lock-password.ts";
import { renewHash } from "../store/update-password.ts";

/** The credentials of a sign-in. */
export interface SignInForm {
  userNameOrEmail: string;
  password: string;
  /** The session that was presented; it ends. Empty for none. */
  sessionId: string;
}

/**
 * Opens a new session with a password. An unknown user costs the same hashes and gets the same answer as a wrong password.
 * @throws Unauthenticated, and ResourceExhausted with the seconds to wait
 */
export async function openSession(ctx: AccountContext, form: SignInForm, call: HandlerContext) {
  const check = () => provenCredentials(ctx, form, call);
  const credentials = await ctx.limits.signIn(call.requestHeader, form.userNameOrEmail, check);
  if (credentials === undefined) throw wrongPassword();

  const { newHash, userId, userName, displayName } = credentials;
  const sessionId = newSessionId();
  const expiresAt = await transaction(ctx.pool, async (db) => {
    // If the password was changed since it was read, this sign-in comes too late.
    const isUnchanged = newHash ? await renewHash(db, credentials, newHash) : await lockPassword(db, credentials);
    if (!isUnchanged) throw wrongPassword();
    if (form.sessionId !== "") await endSession(db, sessionIdHash(form.sessionId));
    await endOldestSessions(db, userId, maxOpenSessions - 1);
    const session = { idHash: sessionIdHash(sessionId), signedIn: true, maxAge: ctx.config.session.maxAge };
    return insertSession(db, { ...session, userId });
  });
  return { userId, userName, displayName, sessionId, expiresAt };
}

/** The most open sessions of a user: ending 120,000 with a change of the password took 4.5 s. */
const maxOpenSessions = 1_000;

/** The credentials if the password is right, with a new hash to store if the present one is outdated; otherwise undefined. */
async function provenCredentials(ctx: AccountContext, { userNameOrEmail, password }: SignInForm, call: HandlerContext) {
  const login = parseLogin(userNameOrEmail);
  const credentials = login === undefined ? undefined : await findCredentialsByLogin(ctx.pool, login);
  const costs = await listHashCosts(ctx.pool);
  return ctx.passwords.inTurn(call.signal, async (hashing) => {
    const comparison = await hashing.compare(password, credentials?.passwordHash, costs);
    if (comparison === "wrong" || credentials === undefined) return undefined;
    // Only a sign-in knows the password.
    return { ...credentials, newHash: comparison === "outdated" ? await hashing.hash(password) : undefined };
  });
}
