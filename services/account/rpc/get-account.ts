import { create } from "@bufbuild/protobuf";
import { type GetAccountRequest, GetAccountResponseSchema } from "../../../proto/gen/account/v1/account_service_pb.ts";
import type { AccountContext } from "../context.ts";
import { unknownAccount } from "../domain/errors.ts";
import { findAccount } from "../store/find-account.ts";
import { accountView } from "../views/account.ts";

/** Shows an account without its secrets. */
export async function getAccount(ctx: AccountContext, request: GetAccountRequest) {
  const account = await findAccount(ctx.pool, request.userId);
  if (account === undefined) throw unknownAccount();
  return create(GetAccountResponseSchema, { account: accountView(account) });
}
