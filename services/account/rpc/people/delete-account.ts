import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type DeleteAccountRequest,
  DeleteAccountRequestSchema,
  DeleteAccountResponseSchema,
} from "../../../../proto/gen/account/people/v1/people_service_pb.ts";
import { sessionHeader } from "../../../platform/connect/identity.ts";
import { refuseFields } from "../../../platform/errors.ts";
import { usedRequestId } from "../../../platform/rules/request-id.ts";
import { compileRules } from "../../../platform/rules/request-rules.ts";
import type { AccountContext } from "../../context.ts";
import { wrongPassword } from "../../domain/errors.ts";
import { findPasswordRequest } from "../../store/password-requests.ts";
import { endAccount } from "../delete-account.ts";
import { provePassword } from "../prove-password.ts";

/** Deletes the actor's account, for its password. A deleted account has no password any more, so it fails like a wrong one. */
export async function deleteOwnAccount(ctx: AccountContext, request: DeleteAccountRequest, call: HandlerContext) {
  refuseFields(checkRules(request));
  if ((await findPasswordRequest(ctx.pool, request)) !== undefined) throw usedRequestId();
  const proof = await provePassword(ctx, request.userId, call, async (credentials, { isRight }) =>
    (await isRight(request.password, credentials?.passwordHash)) ? credentials : undefined,
  );
  if (proof === undefined || !(await endAccount(ctx, request.userId, proof.passwordVersion))) throw wrongPassword();
  call.responseHeader.set(sessionHeader, "ended");
  return create(DeleteAccountResponseSchema);
}

const checkRules = compileRules(DeleteAccountRequestSchema);
