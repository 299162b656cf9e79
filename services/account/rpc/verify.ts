import { create } from "@bufbuild/protobuf";
import {
  type ListAccountsRequest,
  ListAccountsResponseSchema,
  type QueueMissingRequest,
  QueueMissingRequestSchema,
  QueueMissingResponseSchema,
} from "../../../proto/gen/account/v1/verify_service_pb.ts";
import { refuseFields } from "../../platform/errors.ts";
import { tooManyEntries } from "../../platform/max-entries.ts";
import type { AccountContext } from "../context.ts";
import { deleteProfileJob } from "../jobs/delete-profile.ts";
import { listAccountStates } from "../store/accounts.ts";
import { queueMissingJobs } from "../store/queue-missing-jobs.ts";
import { createProfileJob } from "../store/registrations.ts";

/** Lists the accounts and deletions of the next users. */
export async function listAccounts(ctx: AccountContext, { afterUserId }: ListAccountsRequest) {
  const accounts = await listAccountStates(ctx.pool, afterUserId, maxListed);
  const nextAfterUserId = accounts.length < maxListed ? 0n : accounts.at(-1)?.userId;
  return create(ListAccountsResponseSchema, { accounts, nextAfterUserId });
}

const maxListed = 1_000;

/** Adds the jobs that make or delete the profiles of these users. Repeating it changes nothing. */
export async function queueMissing(ctx: AccountContext, request: QueueMissingRequest) {
  refuseFields([tooManyEntries(QueueMissingRequestSchema, request)]);
  const queued = await queueMissingJobs(ctx.pool, request.userIds, {
    create: createProfileJob,
    delete: deleteProfileJob,
  });
  return create(QueueMissingResponseSchema, { queued });
}
