import { create } from "@bufbuild/protobuf";
import {
  type FindAccountRequest,
  FindAccountResponseSchema,
} from "../../../../proto/gen/account/v1/operator_service_pb.ts";
import type { AccountContext } from "../../context.ts";
import { unknownAccount } from "../../domain/errors.ts";
import { parseLogin } from "../../domain/login.ts";
import { findAccountByLogin } from "../../store/find-account.ts";
import { accountView } from "../../views/account.ts";

/** Finds an account by what its user signs in with. */
export async function findAccount(ctx: AccountContext, { userNameOrEmail }: FindAccountRequest) {
  const login = parseLogin(userNameOrEmail);
  const account = login && (await findAccountByLogin(ctx.pool, login));
  if (account === undefined) throw unknownAccount();
  return create(FindAccountResponseSchema, { account: accountView(account) });
}
