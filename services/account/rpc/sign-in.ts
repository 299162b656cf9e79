import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import { type SignInRequest, SignInResponseSchema } from "../../../proto/gen/account/v1/session_service_pb.ts";
import { badField, invalidFields, unauthenticated } from "../../platform/errors.ts";
import { transaction } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import { filled } from "../domain/blank.ts";
import { parseLogin } from "../domain/login.ts";
import { checkPassword } from "../domain/password.ts";
import { newSessionId, sessionIdHash } from "../domain/session-id.ts";
import type { Hashing } from "../hashing/passwords.ts";
import { endSession } from "../store/end-sessions.ts";
import { type Credentials, findCredentialsByLogin } from "../store/find-credentials.ts";
import { insertSession } from "../store/insert-session.ts";
import { lockPassword } from "../store/lock-password.ts";
import { strengthenHash } from "../store/update-password.ts";

/** Opens a new session with a password. An unknown user costs the same hash and gets the same answer as a wrong password. */
export async function signIn(ctx: AccountContext, request: SignInRequest, call: HandlerContext) {
  checkForm(request);
  const check = () => provenCredentials(ctx, request, call);
  const credentials = await ctx.limits.signIn(call.requestHeader, request.userNameOrEmail, check);
  if (credentials === undefined) throw refused();

  const { stronger } = credentials;
  const sessionId = newSessionId();
  const expiresAt = await transaction(ctx.pool, async (db) => {
    // The password may have changed since it was read; then this sign-in came too late.
    const stands = stronger ? await strengthenHash(db, credentials, stronger) : await lockPassword(db, credentials);
    if (!stands) throw refused();
    if (request.sessionId !== "") await endSession(db, sessionIdHash(request.sessionId));
    const session = { idHash: sessionIdHash(sessionId), signedIn: true, maxAge: ctx.config.session.maxAge };
    return insertSession(db, { ...session, userId: credentials.userId });
  });
  const { userId, userName } = credentials;
  return create(SignInResponseSchema, { userId, userName, sessionId, expiresAt: timestampFromDate(expiresAt) });
}

/** The credentials, if the password is theirs, and the hash that is to replace theirs, if any. */
async function provenCredentials(ctx: AccountContext, request: SignInRequest, call: HandlerContext) {
  const login = parseLogin(request.userNameOrEmail);
  const credentials = login === undefined ? undefined : await findCredentialsByLogin(ctx.pool, login);
  return ctx.passwords.inTurn(call.signal, async (hashing) => {
    const right = await hashing.isRight(request.password, credentials?.passwordHash);
    if (!right || credentials === undefined) return undefined;
    return { ...credentials, stronger: await strongerHash(hashing, request.password, credentials) };
  });
}

/** What is wrong with the request itself, whether the user exists or not. */
function checkForm(request: SignInRequest): void {
  const nameless = filled(request.userNameOrEmail) === undefined;
  const bad = [
    nameless ? badField("userNameOrEmail", "NotEmpty", "'User Name' should not be empty.") : undefined,
    // However short: the least length may have been smaller once.
    checkPassword(request.password, 1),
  ].filter((fault) => fault !== undefined);
  if (bad.length > 0) throw invalidFields(bad);
}

/** Settings may have grown since the hash was made; only now the password is there to make a new one. */
async function strongerHash(hashing: Hashing, password: string, credentials: Credentials) {
  const isWeak = credentials.passwordHash !== undefined && hashing.isWeak(credentials.passwordHash);
  return isWeak ? hashing.hash(password) : undefined;
}

function refused() {
  return unauthenticated("Invalid user name or password.");
}
