import { create } from "@bufbuild/protobuf";
import { type GetAccountRequest, GetAccountResponseSchema } from "../../../proto/gen/account/v1/account_service_pb.ts";
import { notFound } from "../../platform/errors.ts";
import type { AccountContext } from "../context.ts";
import { findAccount } from "../store/find-account.ts";
import { accountView } from "../views/account.ts";

/** Shows an account without its secrets. */
export async function getAccount(ctx: AccountContext, request: GetAccountRequest) {
  const account = await findAccount(ctx.pool, request.userId);
  if (account === undefined) throw notFound("There is no such account.");
  return create(GetAccountResponseSchema, { account: accountView(account) });
}
