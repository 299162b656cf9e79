import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type DeleteAccountRequest,
  DeleteAccountRequestSchema,
  DeleteAccountResponseSchema,
} from "../../../../proto/gen/account/people/v1/people_service_pb.ts";
import { invalidFields } from "../../../platform/errors.ts";
import { compileRules } from "../../../platform/rules/request-rules.ts";
import type { AccountContext } from "../../context.ts";
import { wrongPassword } from "../../domain/wrong-password.ts";
import { findCredentials } from "../../store/find-credentials.ts";
import { endAccount } from "../delete-account.ts";

/** Ends the actor's account, who proves it with the password. An account that is gone already has no password to prove it with. */
export async function deleteAccount(ctx: AccountContext, request: DeleteAccountRequest, call: HandlerContext) {
  const bad = checkRules(request);
  if (bad.length > 0) throw invalidFields(bad);
  // With a stolen session the password is guessed no faster than at sign-in.
  const proof = await ctx.limits.passwordChange(call.requestHeader, request.userId, async () => {
    const credentials = await findCredentials(ctx.pool, request.userId);
    return ctx.passwords.inTurn(call.signal, async ({ isRight }) => {
      return (await isRight(request.password, credentials?.passwordHash)) ? credentials : undefined;
    });
  });
  if (proof === undefined || !(await endAccount(ctx, request.userId))) throw wrongPassword();
  call.responseHeader.set("roost-session", "ended");
  return create(DeleteAccountResponseSchema);
}

const checkRules = compileRules(DeleteAccountRequestSchema);
