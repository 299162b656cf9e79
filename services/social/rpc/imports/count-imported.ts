import { create } from "@bufbuild/protobuf";
import {
  type CountImportedRequest,
  CountImportedResponseSchema,
} from "../../../../proto/gen/social/v1/import_service_pb.ts";
import type { SocialContext } from "../../context.ts";
import { parseImportJob } from "../../domain/import-job.ts";
import { countImportedRows } from "../../store/imports/import-jobs.ts";

/** Counts the statuses of a job that exist. */
export async function countImported(ctx: SocialContext, request: CountImportedRequest) {
  return create(CountImportedResponseSchema, {
    statuses: await countImportedRows(ctx.pool, parseImportJob(request.job)),
  });
}
