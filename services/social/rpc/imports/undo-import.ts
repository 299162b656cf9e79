import { create } from "@bufbuild/protobuf";
import { type UndoImportRequest, UndoImportResponseSchema } from "../../../../proto/gen/social/v1/import_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { parseImportJob } from "../../domain/import-job.ts";
import { listImported } from "../../store/imports/import-jobs.ts";
import { finishRemoval, removeStatuses } from "../statuses/remove-statuses.ts";
import { write } from "../write.ts";

/**
 * Deletes a thousand statuses of a job with the marks and reposts of them. No more, so that no call locks the author's row for
 * long.
 */
export async function undoImport(ctx: SocialContext, request: UndoImportRequest) {
  const job = parseImportJob(request.job);
  const { removed, listed } = await write(ctx, [job.authorId], async (db) => {
    const ids = await listImported(db, job, batch);
    const gone = await removeStatuses(db, job.authorId, ids);
    return { removed: gone.length, listed: ids.length };
  });
  await finishRemoval(ctx, job.authorId);
  return create(UndoImportResponseSchema, { removed: BigInt(removed), complete: listed < batch });
}

const batch = 1_000;
