import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Account, AccountSchema } from "../../../proto/gen/account/v1/account_service_pb.ts";
import type { StoredAccount } from "../store/accounts.ts";

/** An account as its owner and operators see it. */
export function accountView(account: StoredAccount): Account {
  return create(AccountSchema, {
    ...account,
    email: account.email ?? undefined,
    origin: account.origin ?? undefined,
    originId: account.originId ?? undefined,
    createdAt: timestampFromDate(account.createdAt),
  });
}
