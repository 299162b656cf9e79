import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type AuthenticateRequest,
  AuthenticateRequestSchema,
  type AuthenticateResponse,
  AuthenticateResponseSchema,
} from "../../../../proto/gen/account/people/v1/people_service_pb.ts";
import { anonymousHeader, sessionHeader } from "../../../platform/connect/identity.ts";
import { notFound, refuseFields, signInFirst } from "../../../platform/errors.ts";
import { emptyField, isBlank } from "../../../platform/rules/field-rules.ts";
import { compileRules, inFieldOrder } from "../../../platform/rules/request-rules.ts";
import type { AccountContext } from "../../context.ts";
import { checkContinue } from "../../domain/continue-url.ts";
import { sessionIdHash } from "../../domain/session-id.ts";
import { unlessBlank } from "../../domain/unless-blank.ts";
import { endSession } from "../../store/end-sessions.ts";
import { findAccount } from "../../store/find-account.ts";
import { findSessionUsers } from "../../store/find-session-users.ts";
import { openSession } from "../open-session.ts";

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

async function signIn(ctx: AccountContext, request: AuthenticateRequest, call: HandlerContext): Promise<Shown> {
  const form = { ...request, userNameOrEmail: request.userName };
  const { userId, userName, displayName, sessionId } = await openSession(ctx, form, call);
  call.responseHeader.set(sessionHeader, `${sessionId}; max-age=${ctx.config.session.maxAge}`);
  return { userId: userId.toString(), userName, displayName, sessionId };
}

/** An unknown session has nothing to end. A cookie that does not count may come with a request of another site. */
async function signOut(ctx: AccountContext, request: AuthenticateRequest, call: HandlerContext): Promise<Shown> {
  if (request.foreignCookie) throw signInFirst();
  if (request.sessionId !== "") await endSession(ctx.pool, sessionIdHash(request.sessionId));
  call.responseHeader.set(sessionHeader, "ended");
  return {};
}

async function whoAmI(ctx: AccountContext, { sessionId, sessionCookie }: AuthenticateRequest): Promise<Shown> {
  const [userId = 0n] = await findSessionUsers(ctx.pool, [sessionIdHash(sessionId)]);
  const account = userId === 0n ? undefined : await findAccount(ctx.pool, userId);
  if (account === undefined) throw signInFirst();
  const { userName, displayName } = account;
  // A page that cannot read the cookie does not get the session id in the reply either.
  return { userId: userId.toString(), userName, displayName, sessionId: sessionCookie ? "" : sessionId };
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
