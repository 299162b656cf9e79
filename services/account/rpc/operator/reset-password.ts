import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type ResetPasswordRequest,
  ResetPasswordResponseSchema,
} from "../../../../proto/gen/account/v1/operator_service_pb.ts";
import { conflict, failedPrecondition, refuseFields } from "../../../platform/errors.ts";
import { transaction } from "../../../platform/postgres/pool.ts";
import type { AccountContext } from "../../context.ts";
import { unknownAccount } from "../../domain/errors.ts";
import { checkNewPassword } from "../../domain/password.ts";
import { endSessionsOf } from "../../store/end-sessions.ts";
import { findCredentials } from "../../store/find-credentials.ts";
import { updatePassword } from "../../store/update-password.ts";

/**
 * Sets a user's password without asking for the present one, and ends all sessions. The operator has checked whose account it is.
 */
export async function resetPassword(ctx: AccountContext, request: ResetPasswordRequest, call: HandlerContext) {
  const { userId, newPassword } = request;
  refuseFields([checkNewPassword(newPassword, ctx.config.passwords.minLength, "newPassword")]);
  const credentials = await findCredentials(ctx.pool, userId);
  if (credentials === undefined) throw unknownAccount();
  // An unclaimed account has no owner yet: ClaimAccount gives it to one.
  if (credentials.passwordHash === undefined) throw failedPrecondition("This imported account has no password yet.");
  const hash = await ctx.passwords.inTurn(call.signal, (hashing) => hashing.hash(newPassword));
  await transaction(ctx.pool, async (db) => {
    if (!(await updatePassword(db, credentials, hash))) throw conflict("The password was changed at the same moment.");
    await endSessionsOf(db, userId);
  });
  return create(ResetPasswordResponseSchema);
}
