import type { ImportJob } from "../../../proto/gen/social/v1/import_service_pb.ts";
import { invalid } from "../../platform/errors.ts";
import { isId } from "../../platform/rules/ids.ts";

/** The key of one import into one user's timeline. */
export interface JobKey {
  authorId: bigint;
  /** 16 bytes. */
  id: Buffer;
}

/** Reads the key of a job. @throws InvalidArgument */
export function parseImportJob(job: ImportJob | undefined): JobKey {
  if (job === undefined || !isId(job.authorId) || job.id.length !== 16) {
    throw invalid("job", "RegularExpression", "'Job' must have a user and an id of 16 bytes.");
  }
  return { authorId: job.authorId, id: Buffer.from(job.id) };
}
