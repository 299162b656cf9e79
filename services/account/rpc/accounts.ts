import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type DeleteAccountRequest as DeleteOwnRequest,
  DeleteAccountRequestSchema as DeleteOwnRequestSchema,
  DeleteAccountResponseSchema as DeleteOwnResponseSchema,
} from "../../../proto/gen/account/people/v1/people_service_pb.ts";
import {
  type DeleteAccountRequest,
  DeleteAccountResponseSchema,
  type Deletion,
  DeletionSchema,
  type GetAccountRequest,
  GetAccountResponseSchema,
  type GetDeletionRequest,
  GetDeletionResponseSchema,
} from "../../../proto/gen/account/v1/account_service_pb.ts";
import { sessionHeader } from "../../platform/connect/identity.ts";
import { notFound, refuseFields } from "../../platform/errors.ts";
import { transaction } from "../../platform/postgres/pool.ts";
import { compileRules, usedRequestId } from "../../platform/rules/request-rules.ts";
import type { AccountContext } from "../context.ts";
import { unknownAccount, wrongPassword } from "../domain/errors.ts";
import { dequeueCreateProfile } from "../jobs/create-profile.ts";
import { deleteBatch, dequeueDeleteProfile, enqueueDeleteProfile } from "../jobs/delete-profile.ts";
import { emptyAccount, findAccount } from "../store/accounts.ts";
import { findDeletion } from "../store/deletions.ts";
import { deletePasswordRequests, findPasswordRequest } from "../store/password-requests.ts";
import { endSessionsOf } from "../store/sessions.ts";
import { accountView } from "../views/account.ts";
import { provePassword } from "./passwords.ts";

/** Shows an account without its secrets. */
export async function getAccount(ctx: AccountContext, request: GetAccountRequest) {
  const account = await findAccount(ctx.pool, request.userId);
  if (account === undefined) throw unknownAccount();
  return create(GetAccountResponseSchema, { account: accountView(account) });
}

/** Deletes the actor's account, for its password. A deleted account has no password any more, so it fails like a wrong one. */
export async function deleteOwnAccount(ctx: AccountContext, request: DeleteOwnRequest, call: HandlerContext) {
  refuseFields(checkRules(request));
  if ((await findPasswordRequest(ctx.pool, request)) !== undefined) throw usedRequestId();
  const proof = await provePassword(ctx, request.userId, call, async (credentials, { isRight }) =>
    (await isRight(request.password, credentials?.passwordHash)) ? credentials : undefined,
  );
  if (proof === undefined || !(await endAccount(ctx, request.userId, proof.passwordVersion))) throw wrongPassword();
  call.responseHeader.set(sessionHeader, "ended");
  return create(DeleteOwnResponseSchema);
}

const checkRules = compileRules(DeleteOwnRequestSchema);

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
async function endAccount(ctx: AccountContext, userId: bigint, passwordVersion?: number): Promise<boolean> {
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

/** Shows the progress of a deletion. */
export async function getDeletion(ctx: AccountContext, { userId }: GetDeletionRequest) {
  return create(GetDeletionResponseSchema, { deletion: await deletionOf(ctx, userId) });
}

/** A user's deletion. @throws NotFound when there is none */
async function deletionOf(ctx: AccountContext, userId: bigint): Promise<Deletion> {
  const deletion = await findDeletion(ctx.pool, userId);
  if (deletion === undefined) throw notFound("There is no such account, and none was deleted.");
  const { batches, requestedAt, completedAt } = deletion;
  return create(DeletionSchema, {
    userId,
    batches,
    complete: completedAt !== null,
    requestedAt: timestampFromDate(requestedAt),
    completedAt: completedAt === null ? undefined : timestampFromDate(completedAt),
  });
}
