import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type ClaimAccountRequest,
  ClaimAccountResponseSchema,
} from "../../../proto/gen/account/v1/account_service_pb.ts";
import { badField, failedPrecondition, invalidFields, refuseFields } from "../../platform/errors.ts";
import { violatedUnique } from "../../platform/postgres/failures.ts";
import type { AccountConfig } from "../config.ts";
import type { AccountContext } from "../context.ts";
import { checkEmail, emailKey } from "../domain/email.ts";
import { unknownAccount } from "../domain/errors.ts";
import { checkNewPassword } from "../domain/password.ts";
import { unlessBlank } from "../domain/unless-blank.ts";
import { claimAccountRow, type FirstPassword } from "../store/claim-account.ts";
import { findAccount } from "../store/find-account.ts";
import { accountView } from "../views/account.ts";

/** Gives an imported account to its owner by setting its first password. The operator has checked whose it is. */
export async function claimAccount(ctx: AccountContext, request: ClaimAccountRequest, call: HandlerContext) {
  const { userId, password } = request;
  const email = unlessBlank(request.email);
  checkForm(password, email, ctx.config);
  await checkUnclaimed(ctx, userId);
  const passwordHash = await ctx.passwords.inTurn(call.signal, ({ hash }) => hash(password));
  // Another claim may have come first; reading again determines the error.
  if (!(await storeClaim(ctx, { userId, passwordHash, email, emailKey: email && emailKey(email) })))
    await checkUnclaimed(ctx, userId);
  const account = await findAccount(ctx.pool, userId);
  if (account === undefined) throw unknownAccount();
  return create(ClaimAccountResponseSchema, { account: accountView(account) });
}

function checkForm(password: string, email: string | undefined, config: AccountConfig): void {
  refuseFields([
    checkNewPassword(password, config.passwords.minLength),
    email === undefined ? undefined : checkEmail(email),
  ]);
}

/** @throws NotFound for an unknown account, FailedPrecondition for a claimed one */
async function checkUnclaimed(ctx: AccountContext, userId: bigint): Promise<void> {
  const account = await findAccount(ctx.pool, userId);
  if (account === undefined) throw unknownAccount();
  if (account.claimed) throw failedPrecondition("This account has an owner already.");
}

async function storeClaim(ctx: AccountContext, claim: FirstPassword): Promise<boolean> {
  try {
    return await claimAccountRow(ctx.pool, claim);
  } catch (error) {
    if (violatedUnique(error) !== "account_email_key") throw error;
    throw invalidFields([badField("email", "AlreadyExists", "Email already exists")]);
  }
}
