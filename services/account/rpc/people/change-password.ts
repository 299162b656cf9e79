import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type ChangePasswordRequest,
  ChangePasswordRequestSchema,
  ChangePasswordResponseSchema,
} from "../../../../proto/gen/account/people/v1/people_service_pb.ts";
import { type BadField, invalidFields } from "../../../platform/errors.ts";
import { compileRules } from "../../../platform/rules/request-rules.ts";
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
  const bad: BadField[] = checkRules(request).filter(({ fieldName }) => fieldName !== "newPassword");
  const tooShort = checkPassword(request.newPassword, config.passwords.minLength, "newPassword");
  const all = tooShort === undefined ? bad : [...bad, tooShort];
  if (all.length > 0)
    throw invalidFields(all.toSorted((a, b) => inOrder.indexOf(a.fieldName) - inOrder.indexOf(b.fieldName)));
}

const checkRules = compileRules(ChangePasswordRequestSchema);
const inOrder = ChangePasswordRequestSchema.fields.map(({ jsonName }) => jsonName);
