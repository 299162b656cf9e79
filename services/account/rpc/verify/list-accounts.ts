import { create } from "@bufbuild/protobuf";
import {
  type ListAccountsRequest,
  ListAccountsResponseSchema,
} from "../../../../proto/gen/account/v1/verify_service_pb.ts";
import type { AccountContext } from "../../context.ts";
import { listAccountStates } from "../../store/list-accounts.ts";

/** Lists the accounts and deletions of the next users. */
export async function listAccounts(ctx: AccountContext, { afterUserId }: ListAccountsRequest) {
  const accounts = await listAccountStates(ctx.pool, afterUserId, batch);
  const nextAfterUserId = accounts.length < batch ? 0n : accounts.at(-1)?.userId;
  return create(ListAccountsResponseSchema, { accounts, nextAfterUserId });
}

const batch = 1_000;
