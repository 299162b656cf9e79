import { create } from "@bufbuild/protobuf";
import {
  type QueueMissingRequest,
  QueueMissingRequestSchema,
  QueueMissingResponseSchema,
} from "../../../../proto/gen/account/v1/verify_service_pb.ts";
import { refuseFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import type { AccountContext } from "../../context.ts";
import { deleteProfileJob } from "../../jobs/delete-profile.ts";
import { createProfileJob } from "../../store/insert-registered.ts";
import { queueMissingJobs } from "../../store/queue-missing-jobs.ts";

/** Adds the jobs that make or delete the profiles of these users. Repeating it changes nothing. */
export async function queueMissing(ctx: AccountContext, request: QueueMissingRequest) {
  refuseFields([tooManyEntries(QueueMissingRequestSchema, request)]);
  const queued = await queueMissingJobs(ctx.pool, request.userIds, {
    create: createProfileJob,
    delete: deleteProfileJob,
  });
  return create(QueueMissingResponseSchema, { queued });
}
