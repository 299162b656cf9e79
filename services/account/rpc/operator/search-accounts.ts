import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type SearchAccountsRequest,
  SearchAccountsResponseSchema,
} from "../../../../proto/gen/account/v1/operator_service_pb.ts";
import { invalid } from "../../../platform/errors.ts";
import type { AccountContext } from "../../context.ts";
import { parseLogin } from "../../domain/login.ts";
import { listNamedAccounts, listNewestAccounts } from "../../store/search-accounts.ts";
import { accountView } from "../../views/account.ts";

/** Lists the newest accounts, or those that a name or an address finds. */
export async function searchAccounts(ctx: AccountContext, { search, take = 100 }: SearchAccountsRequest) {
  if (take < 1) throw invalid("take", "InclusiveBetween", "'Take' must be between 1 and 1000.");
  const limit = Math.min(take, 1_000);
  const found = await listFound(ctx, search, limit + 1);
  const accounts = found.slice(0, limit).map(({ deletionRequestedAt: at, ...account }) => ({
    account: accountView(account),
    deletionRequestedAt: at === null ? undefined : timestampFromDate(at),
  }));
  return create(SearchAccountsResponseSchema, { accounts, more: found.length > limit });
}

async function listFound({ pool }: AccountContext, search: string, limit: number) {
  if (search.trim() === "") return listNewestAccounts(pool, limit);
  const login = parseLogin(search);
  return login === undefined ? [] : listNamedAccounts(pool, login, limit);
}
