import { create } from "@bufbuild/protobuf";
import {
  type DeleteAccountRequest,
  DeleteAccountResponseSchema,
} from "../../../proto/gen/account/v1/account_service_pb.ts";
import { transaction } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import { dequeueCreateProfile } from "../jobs/create-profile.ts";
import { deleteBatch, dequeueDeleteProfile, enqueueDeleteProfile } from "../jobs/delete-profile.ts";
import { emptyAccount } from "../store/empty-account.ts";
import { endSessionsOf } from "../store/end-sessions.ts";
import { deletePasswordRequests } from "../store/password-requests.ts";
import { deletionOf } from "./get-deletion.ts";

/** Deletes an account. Repeating it changes nothing. */
export async function deleteAccount(ctx: AccountContext, { userId }: DeleteAccountRequest) {
  await endAccount(ctx, userId);
  return create(DeleteAccountResponseSchema, { deletion: await deletionOf(ctx, userId) });
}

/**
 * Ends an account at once and starts to delete what its user wrote; the outbox continues.
 * @param passwordVersion of the password that was checked; undefined: the deletion needs none
 * @returns whether there was such an account, with that password still
 */
export async function endAccount(ctx: AccountContext, userId: bigint, passwordVersion?: number): Promise<boolean> {
  const isNew = await transaction(ctx.pool, async (db) => {
    const isNew = await emptyAccount(db, userId, passwordVersion);
    // Where the password has changed since it was checked, the user stays signed in.
    if (isNew || passwordVersion === undefined) await endSessionsOf(db, userId);
    if (!isNew) return false;
    await deletePasswordRequests(db, userId);
    await dequeueCreateProfile(db, [userId]);
    await enqueueDeleteProfile(db, userId);
    return true;
  });
  if (isNew) await beginNow(ctx, userId);
  return isNew;
}

/** The account is gone whether this succeeds or not: the outbox repeats what fails. */
async function beginNow(ctx: AccountContext, userId: bigint): Promise<void> {
  try {
    if (await deleteBatch(ctx, userId)) await dequeueDeleteProfile(ctx.pool, userId);
  } catch (error) {
    ctx.log.warn({ err: error, userId: userId.toString() }, "the deletion follows by the outbox");
  }
}
