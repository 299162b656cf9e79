import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type ChangePasswordRequest,
  ChangePasswordRequestSchema,
  ChangePasswordResponseSchema,
} from "../../../../proto/gen/account/people/v1/people_service_pb.ts";
import { refuseFields } from "../../../platform/errors.ts";
import { usedRequestId } from "../../../platform/rules/request-id.ts";
import { compileRules, inFieldOrder } from "../../../platform/rules/request-rules.ts";
import type { AccountContext } from "../../context.ts";
import { wrongPassword } from "../../domain/errors.ts";
import { checkNewPassword } from "../../domain/password.ts";
import { findPasswordRequest, insertPasswordRequest } from "../../store/password-requests.ts";
import { provePassword } from "../prove-password.ts";
import { refuseSuspended } from "../refuse-suspended.ts";
import { replacePassword } from "../replace-password.ts";

/**
 * Gives the actor a new password, and ends all other sessions. The same request again succeeds while the new password is the
 * current one (contract §12.7).
 */
export async function changeOwnPassword(ctx: AccountContext, request: ChangePasswordRequest, call: HandlerContext) {
  checkForm(ctx, request);
  if (!(await isMade(ctx, request, call))) {
    await refuseSuspended(ctx, request.userId, call);
    const isChanged = await replacePassword(ctx, request, call, async (db, version) => {
      if (!(await insertPasswordRequest(db, request, version))) throw usedRequestId();
    });
    // Another call may have made the same request meanwhile.
    if (!isChanged && !(await isMade(ctx, request, call))) throw wrongPassword();
  }
  return create(ChangePasswordResponseSchema, { responseStatus: {} });
}

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

function checkForm({ config }: AccountContext, request: ChangePasswordRequest): void {
  const weak = checkNewPassword(request.newPassword, config.passwords.minLength, "newPassword");
  const bad = inFieldOrder(ChangePasswordRequestSchema, [weak, ...checkRules(request)]);
  refuseFields(bad);
}

const checkRules = compileRules(ChangePasswordRequestSchema);
