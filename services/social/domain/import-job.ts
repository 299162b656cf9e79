import type { ImportJob } from "../../../proto/gen/social/v1/import_service_pb.ts";
import { invalid } from "../../platform/errors.ts";
import { isId } from "../../platform/storable.ts";

/** What one import adds to one user's timeline goes by this name. */
export interface JobKey {
  authorId: bigint;
  /** 16 bytes. */
  id: Buffer;
}

/** Reads the name of a job. Throws InvalidArgument. */
export function parseImportJob(job: ImportJob | undefined): JobKey {
  if (job === undefined || !isId(job.authorId) || job.id.length !== 16) {
    throw invalid("job", "RegularExpression", "'Job' must have a user and an id of 16 bytes.");
  }
  return { authorId: job.authorId, id: Buffer.from(job.id) };
}
