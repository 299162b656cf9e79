import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Deletion, DeletionSchema } from "../../../proto/gen/account/v1/account_service_pb.ts";
import type { StoredDeletion } from "../store/deletions.ts";

/** The progress of a deletion. */
export function deletionView({ userId, batches, requestedAt, completedAt }: StoredDeletion): Deletion {
  return create(DeletionSchema, {
    userId,
    batches,
    complete: completedAt !== null,
    requestedAt: timestampFromDate(requestedAt),
    completedAt: completedAt === null ? undefined : timestampFromDate(completedAt),
  });
}
