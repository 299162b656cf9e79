import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import { type SignInRequest, SignInResponseSchema } from "../../../proto/gen/account/v1/session_service_pb.ts";
import { badField, refuseFields } from "../../platform/errors.ts";
import { isBlank } from "../../platform/rules/field-rules.ts";
import type { AccountContext } from "../context.ts";
import { checkPassword } from "../domain/password.ts";
import { openSession } from "./open-session.ts";

/** Opens a new session with a password. */
export async function signIn(ctx: AccountContext, request: SignInRequest, call: HandlerContext) {
  checkForm(request);
  const { userId, userName, sessionId, expiresAt } = await openSession(ctx, request, call);
  return create(SignInResponseSchema, { userId, userName, sessionId, expiresAt: timestampFromDate(expiresAt) });
}

/** Checks the form of the request; whether the user exists does not matter. */
function checkForm(request: SignInRequest): void {
  refuseFields([
    isBlank(request.userNameOrEmail)
      ? badField("userNameOrEmail", "NotEmpty", "'User Name' should not be empty.")
      : undefined,
    checkPassword(request.password),
  ]);
}
