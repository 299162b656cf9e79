import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type ChangePasswordRequest,
  ChangePasswordRequestSchema,
  ChangePasswordResponseSchema,
} from "../../../../proto/gen/account/people/v1/people_service_pb.ts";
import { invalidFields } from "../../../platform/errors.ts";
import { compileRules, inFieldOrder } from "../../../platform/rules/request-rules.ts";
import type { AccountContext } from "../../context.ts";
import { checkPassword } from "../../domain/password.ts";
import { wrongPassword } from "../../domain/wrong-password.ts";
import { replacePassword } from "../replace-password.ts";

/**
 * Gives the actor a new password, and ends all sessions but the one that asks. Asked for again by that session it succeeds while
 * the new password is the present one: no digest of passwords is stored that could tell by the request id (contract §12.7).
 */
export async function changePassword(ctx: AccountContext, request: ChangePasswordRequest, call: HandlerContext) {
  checkForm(ctx, request);
  if (!(await replacePassword(ctx, { ...request, isRepeatable: true }, call))) throw wrongPassword();
  return create(ChangePasswordResponseSchema, { responseStatus: {} });
}

function checkForm({ config }: AccountContext, request: ChangePasswordRequest): void {
  const tooShort = checkPassword(request.newPassword, config.passwords.minLength, "newPassword");
  const bad = inFieldOrder(ChangePasswordRequestSchema, [tooShort, ...checkRules(request)]);
  if (bad.length > 0) throw invalidFields(bad);
}

const checkRules = compileRules(ChangePasswordRequestSchema);
