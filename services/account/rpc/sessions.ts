import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type AuthenticateRequest,
  AuthenticateRequestSchema,
  type AuthenticateResponse,
  AuthenticateResponseSchema,
  type SessionsRequest,
  SessionsResponseSchema,
} from "../../../proto/gen/account/people/v1/people_service_pb.ts";
import {
  type FindSessionUsersRequest,
  FindSessionUsersRequestSchema,
  FindSessionUsersResponseSchema,
} from "../../../proto/gen/account/v1/session_service_pb.ts";
import { anonymousHeader, sessionHeader } from "../../platform/connect/identity.ts";
import { contractDate } from "../../platform/contract-date.ts";
import { notFound, refuseFields, signInFirst } from "../../platform/errors.ts";
import { tooManyEntries } from "../../platform/max-entries.ts";
import { transaction } from "../../platform/postgres/pool.ts";
import { emptyField, isBlank } from "../../platform/rules/field-rules.ts";
import { compileRules, inFieldOrder } from "../../platform/rules/request-rules.ts";
import type { AccountContext } from "../context.ts";
import { wrongPassword } from "../domain/errors.ts";
import { parseLogin } from "../domain/login.ts";
import { checkContinue, unlessBlank } from "../domain/registration-form.ts";
import { newSessionId, sessionIdHash } from "../domain/session-id.ts";
import { findAccount } from "../store/accounts.ts";
import { findCredentialsByLogin, listHashCosts, lockPassword, renewHash } from "../store/credentials.ts";
import { endOldestSessions, endSession, insertSession, listSessionRows, listSessionUsers } from "../store/sessions.ts";

/** Signs in, signs out, or shows who is signed in. */
export async function authenticate(ctx: AccountContext, request: AuthenticateRequest, call: HandlerContext) {
  // Any page can make a browser send a JSONP call, so such a call is anonymous and may not sign in or out.
  if (call.requestHeader.has(anonymousHeader)) throw signInFirst();
  const provider = providerOf(request);
  checkForm(ctx, request, provider);
  const answer = providers.get(provider);
  if (answer === undefined) throw notFound("There is no such provider.");
  const shown = await answer(ctx, request, call);
  return create(AuthenticateResponseSchema, {
    ...shown,
    referrerUrl: unlessBlank(request.continue),
    responseStatus: {},
  });
}

type Shown = Partial<Pick<AuthenticateResponse, "userId" | "sessionId" | "userName" | "displayName">>;
type Answer = (ctx: AccountContext, request: AuthenticateRequest, call: HandlerContext) => Promise<Shown>;

const providers = new Map<string, Answer>([
  ["credentials", signIn],
  ["logout", signOut],
  ["", whoAmI],
]);

function providerOf({ provider, userName, password }: AuthenticateRequest): string {
  if (!isBlank(provider)) return provider.toLowerCase();
  return isBlank(userName) && isBlank(password) ? "" : "credentials";
}

function checkForm(ctx: AccountContext, request: AuthenticateRequest, provider: string): void {
  const isNameless = provider === "credentials" && isBlank(request.userName) && isBlank(request.password);
  const bad = inFieldOrder(AuthenticateRequestSchema, [
    ...(isNameless ? [emptyField("userName"), emptyField("password")] : []),
    ...checkRules(request),
    isBlank(request.continue) ? undefined : checkContinue(request.continue, ctx.config.continueOrigins),
  ]);
  refuseFields(bad);
}

const checkRules = compileRules(AuthenticateRequestSchema);

/**
 * Opens a new session with a password. An unknown user costs the same hashes and gets the same answer as a wrong password.
 * @throws Unauthenticated, and ResourceExhausted with the seconds to wait
 */
async function signIn(ctx: AccountContext, request: AuthenticateRequest, call: HandlerContext): Promise<Shown> {
  const check = () => provenCredentials(ctx, request, call);
  const credentials = await ctx.limits.signIn(call.requestHeader, request.userName, check);
  if (credentials === undefined) throw wrongPassword();

  const { newHash, userId, userName, displayName } = credentials;
  const { maxAge } = ctx.config.session;
  const sessionId = newSessionId();
  await transaction(ctx.pool, async (db) => {
    // If the password was changed since it was read, this sign-in comes too late.
    const isUnchanged = newHash ? await renewHash(db, credentials, newHash) : await lockPassword(db, credentials);
    if (!isUnchanged) throw wrongPassword();
    if (request.sessionId !== "") await endSession(db, sessionIdHash(request.sessionId));
    await endOldestSessions(db, userId, maxOpenSessions - 1);
    await insertSession(db, { idHash: sessionIdHash(sessionId), userId, signedIn: true, maxAge });
  });
  call.responseHeader.set(sessionHeader, `${sessionId}; max-age=${maxAge}`);
  return { userId: userId.toString(), userName, displayName, sessionId };
}

/** The most open sessions of a user: ending 120,000 with a change of the password took 4.5 s. */
const maxOpenSessions = 1_000;

/** The credentials if the password is right, with a new hash to store if the present one is outdated; otherwise undefined. */
async function provenCredentials(ctx: AccountContext, request: AuthenticateRequest, call: HandlerContext) {
  const login = parseLogin(request.userName);
  const credentials = login === undefined ? undefined : await findCredentialsByLogin(ctx.pool, login);
  const costs = await listHashCosts(ctx.pool);
  return ctx.passwords.inTurn(call.signal, async ({ compare, hash }) => {
    const comparison = await compare(request.password, credentials?.passwordHash, costs);
    if (comparison === "wrong" || credentials === undefined) return undefined;
    // Only a sign-in knows the password.
    return { ...credentials, newHash: comparison === "outdated" ? await hash(request.password) : undefined };
  });
}

/** An unknown session has nothing to end. A cookie that does not count may come with a request of another site. */
async function signOut(ctx: AccountContext, request: AuthenticateRequest, call: HandlerContext): Promise<Shown> {
  if (request.foreignCookie) throw signInFirst();
  if (request.sessionId !== "") await endSession(ctx.pool, sessionIdHash(request.sessionId));
  call.responseHeader.set(sessionHeader, "ended");
  return {};
}

async function whoAmI(ctx: AccountContext, { sessionId, sessionCookie }: AuthenticateRequest): Promise<Shown> {
  const [userId = 0n] = await listSessionUsers(ctx.pool, [sessionIdHash(sessionId)]);
  const account = userId === 0n ? undefined : await findAccount(ctx.pool, userId);
  if (account === undefined) throw signInFirst();
  const { userName, displayName } = account;
  // A page that cannot read the cookie does not get the session id in the reply either.
  return { userId: userId.toString(), userName, displayName, sessionId: sessionCookie ? "" : sessionId };
}

/** Lists the open sessions of the actor, without their ids. */
export async function sessions(ctx: AccountContext, { userId, sessionId }: SessionsRequest) {
  const own = sessionIdHash(sessionId);
  const rows = await listSessionRows(ctx.pool, userId, maxSessions, own);
  const results = rows.map(({ idHash, createdAt, expiresAt }) => ({
    createdAt: contractDate(createdAt),
    expiresAt: contractDate(expiresAt),
    current: idHash.equals(own),
  }));
  return create(SessionsResponseSchema, { results });
}

/** The most sessions that are listed: more than a person reads. */
const maxSessions = 200;

/** The user of each session, in order; 0 for one that does not stand. Reads the primary, so a session that was ended never counts. */
export async function findSessionUsers(ctx: AccountContext, request: FindSessionUsersRequest) {
  refuseFields([tooManyEntries(FindSessionUsersRequestSchema, request)]);
  return create(FindSessionUsersResponseSchema, {
    userIds: await listSessionUsers(ctx.pool, request.sessionIds.map(sessionIdHash)),
  });
}
