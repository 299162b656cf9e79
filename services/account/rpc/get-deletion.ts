import { create } from "@bufbuild/protobuf";
import {
  type Deletion,
  type GetDeletionRequest,
  GetDeletionResponseSchema,
} from "../../../proto/gen/account/v1/account_service_pb.ts";
import { notFound } from "../../platform/errors.ts";
import type { AccountContext } from "../context.ts";
import { findDeletion } from "../store/deletions.ts";
import { deletionView } from "../views/deletion.ts";

/** Shows the progress of a deletion. */
export async function getDeletion(ctx: AccountContext, { userId }: GetDeletionRequest) {
  return create(GetDeletionResponseSchema, { deletion: await deletionOf(ctx, userId) });
}

/** A user's deletion. @throws NotFound when there is none */
export async function deletionOf(ctx: AccountContext, userId: bigint): Promise<Deletion> {
  const deletion = await findDeletion(ctx.pool, userId);
  if (deletion === undefined) throw notFound("There is no such account, and none was deleted.");
  return deletionView(deletion);
}
