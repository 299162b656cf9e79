import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import {
  type ChangePasswordRequest,
  ChangePasswordRequestSchema,
  ChangePasswordResponseSchema,
} from "../../../proto/gen/account/people/v1/people_service_pb.ts";
import { refuseFields, suspendedActor, unavailable } from "../../platform/errors.ts";
import { transaction } from "../../platform/postgres/pool.ts";
import { compileRules, inFieldOrder, usedRequestId } from "../../platform/rules/request-rules.ts";
import type { AccountContext } from "../context.ts";
import { wrongPassword } from "../domain/errors.ts";
import { checkNewPassword } from "../domain/password.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import type { Hashing } from "../hashing/passwords.ts";
import { type Credentials, findCredentials, updatePassword } from "../store/credentials.ts";
import { findPasswordRequest, insertPasswordRequest } from "../store/password-requests.ts";
import { endSessionsOf } from "../store/sessions.ts";

/**
 * Gives the actor a new password, and ends all other sessions. The same request again succeeds while the new password is the
 * current one (contract §12.7).
 */
export async function changePassword(ctx: AccountContext, request: ChangePasswordRequest, call: HandlerContext) {
  checkForm(ctx, request);
  if (!(await isMade(ctx, request, call))) {
    await refuseSuspended(ctx, request.userId, call);
    // Another call may have made the same request meanwhile.
    if (!(await replacePassword(ctx, request, call)) && !(await isMade(ctx, request, call))) throw wrongPassword();
  }
  return create(ChangePasswordResponseSchema, { responseStatus: {} });
}

function checkForm({ config }: AccountContext, request: ChangePasswordRequest): void {
  const weak = checkNewPassword(request.newPassword, config.passwords.minLength, "newPassword");
  const bad = inFieldOrder(ChangePasswordRequestSchema, [weak, ...checkRules(request)]);
  refuseFields(bad);
}

const checkRules = compileRules(ChangePasswordRequestSchema);

/**
 * Whether this request was made before. No digest of its passwords is stored, so a repetition has to name the current password as
 * the new one. With any other it counts as another request, unless the password was changed since.
 * @throws InvalidArgument `Equal`, Unauthenticated, ResourceExhausted with the seconds to wait
 */
async function isMade(ctx: AccountContext, request: ChangePasswordRequest, call: HandlerContext): Promise<boolean> {
  const { userId, newPassword } = request;
  const version = await findPasswordRequest(ctx.pool, request);
  if (version === undefined) return false;
  let present: number | undefined;
  const proof = await provePassword(ctx, userId, call, async (credentials, { isRight }) => {
    present = credentials?.passwordVersion;
    return (await isRight(newPassword, credentials?.passwordHash)) ? credentials : undefined;
  });
  if (proof === undefined) throw present === version ? usedRequestId() : wrongPassword();
  return true;
}

/**
 * Asks the social service whether a user is suspended, and then refuses the write. A user without a profile is not suspended.
 * @throws PermissionDenied `Suspended`; Unavailable when the social service gives no answer
 */
async function refuseSuspended(ctx: AccountContext, userId: bigint, call: HandlerContext): Promise<void> {
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

/**
 * Replaces the password, and ends all sessions but one. False when the old password is wrong, or was changed meanwhile.
 * @throws InvalidArgument `Equal`, ResourceExhausted with the seconds to wait
 */
async function replacePassword(ctx: AccountContext, request: ChangePasswordRequest, call: HandlerContext) {
  const { userId, oldPassword, newPassword, sessionId } = request;
  const proof = await provePassword(ctx, userId, call, async (credentials, { isRight, hash }) => {
    if (credentials === undefined || !(await isRight(oldPassword, credentials.passwordHash))) return undefined;
    return { ...credentials, newHash: await hash(newPassword) };
  });
  if (proof === undefined) return false;
  return transaction(ctx.pool, async (db) => {
    if (!(await updatePassword(db, proof, proof.newHash))) return false;
    if (!(await insertPasswordRequest(db, request, proof.passwordVersion + 1))) throw usedRequestId();
    await endSessionsOf(db, userId, sessionId === "" ? undefined : sessionIdHash(sessionId));
    return true;
  });
}

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
