import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type ChangePasswordRequest,
  ChangePasswordResponseSchema,
} from "../../../proto/gen/account/v1/account_service_pb.ts";
import { invalid, refuseFields } from "../../platform/errors.ts";
import type { AccountConfig } from "../config.ts";
import type { AccountContext } from "../context.ts";
import { unknownAccount } from "../domain/errors.ts";
import { checkNewPassword, checkPassword } from "../domain/password.ts";
import { findCredentials } from "../store/find-credentials.ts";
import { refuseSuspended } from "./refuse-suspended.ts";
import { replacePassword } from "./replace-password.ts";

/** Replaces a user's current password, and ends all sessions but the one that is presented. */
export async function changePassword(ctx: AccountContext, request: ChangePasswordRequest, call: HandlerContext) {
  checkForm(request, ctx.config);
  if ((await findCredentials(ctx.pool, request.userId)) === undefined) throw unknownAccount();
  await refuseSuspended(ctx, request.userId, call);
  if (!(await replacePassword(ctx, { ...request, oldPassword: request.currentPassword }, call)))
    throw invalid("currentPassword", "WrongPassword", "'Current Password' is wrong.");
  return create(ChangePasswordResponseSchema);
}

function checkForm(request: ChangePasswordRequest, config: AccountConfig): void {
  refuseFields([
    checkPassword(request.currentPassword, "currentPassword"),
    checkNewPassword(request.newPassword, config.passwords.minLength, "newPassword"),
  ]);
}
