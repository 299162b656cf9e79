import { create } from "@bufbuild/protobuf";
import { type UndoImportRequest, UndoImportResponseSchema } from "../../../proto/gen/social/v1/import_service_pb.ts";
import { transaction } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";
import { parseImportJob } from "../domain/import-job.ts";
import { deleteImported } from "../store/import-jobs.ts";
import { lockProfiles } from "../store/lock-profiles.ts";

/** Takes back a thousand statuses of a job, so that no call holds the author's row for long. */
export async function undoImport(ctx: SocialContext, request: UndoImportRequest) {
  const job = parseImportJob(request.job);
  const removed = await transaction(ctx.pool, async (db) => {
    await lockProfiles(db, [job.authorId]);
    return deleteImported(db, job, batch);
  });
  return create(UndoImportResponseSchema, { removed: BigInt(removed), complete: removed < batch });
}

const batch = 1_000;
