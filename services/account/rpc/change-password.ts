import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type ChangePasswordRequest,
  ChangePasswordResponseSchema,
} from "../../../proto/gen/account/v1/account_service_pb.ts";
import { invalid, invalidFields, notFound } from "../../platform/errors.ts";
import { transaction } from "../../platform/postgres/pool.ts";
import type { AccountConfig } from "../config.ts";
import type { AccountContext } from "../context.ts";
import { checkPassword } from "../domain/password.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import { endSessionsOf } from "../store/end-sessions.ts";
import { findCredentials } from "../store/find-credentials.ts";
import { updatePassword } from "../store/update-password.ts";

/** Gives a user a new password for the current one, and ends all sessions but the one that is presented. */
export async function changePassword(ctx: AccountContext, request: ChangePasswordRequest, call: HandlerContext) {
  checkForm(request, ctx.config);
  const credentials = await findCredentials(ctx.pool, request.userId);
  if (credentials === undefined) throw notFound("There is no such account.");
  // With a stolen session the password is guessed no faster than at sign-in.
  const proof = await ctx.limits.passwordChange(call.requestHeader, request.userId, () =>
    ctx.passwords.inTurn(call.signal, async ({ isRight, hash }) => {
      const right = await isRight(request.currentPassword, credentials.passwordHash);
      return right ? { ...credentials, newHash: await hash(request.newPassword) } : undefined;
    }),
  );
  if (proof === undefined) throw wrongPassword();

  await transaction(ctx.pool, async (db) => {
    // Two changes at once: the one that comes second had the wrong password by then.
    if (!(await updatePassword(db, proof, proof.newHash))) throw wrongPassword();
    const ownIdHash = request.sessionId === "" ? undefined : sessionIdHash(request.sessionId);
    await endSessionsOf(db, request.userId, ownIdHash);
  });
  return create(ChangePasswordResponseSchema);
}

function checkForm(request: ChangePasswordRequest, config: AccountConfig): void {
  const bad = [
    checkPassword(request.currentPassword, 1, "currentPassword"),
    checkPassword(request.newPassword, config.passwords.minLength, "newPassword"),
  ].filter((fault) => fault !== undefined);
  if (bad.length > 0) throw invalidFields(bad);
}

function wrongPassword() {
  return invalid("currentPassword", "WrongPassword", "'Current Password' is wrong.");
}
