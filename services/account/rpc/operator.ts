import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type EndSessionsRequest,
  EndSessionsResponseSchema,
  type FindAccountRequest,
  FindAccountResponseSchema,
  type Invitation,
  InvitationSchema,
  ListInvitationsResponseSchema,
  type MakeInvitationRequest,
  MakeInvitationResponseSchema,
  type ResetPasswordRequest,
  ResetPasswordResponseSchema,
  type RevokeInvitationRequest,
  RevokeInvitationResponseSchema,
  type SearchAccountsRequest,
  SearchAccountsResponseSchema,
} from "../../../proto/gen/account/v1/operator_service_pb.ts";
import { badField, conflict, failedPrecondition, invalid, notFound, refuseFields } from "../../platform/errors.ts";
import { transaction } from "../../platform/postgres/pool.ts";
import { fieldLabel } from "../../platform/rules/field-rules.ts";
import type { AccountContext } from "../context.ts";
import { unknownAccount } from "../domain/errors.ts";
import { parseLogin } from "../domain/login.ts";
import { checkNewPassword } from "../domain/password.ts";
import { sessionIdHash as invitationHash, newSessionId as newInvitation } from "../domain/session-id.ts";
import { findAccountByLogin, listNamedAccounts, listNewestAccounts } from "../store/accounts.ts";
import { findCredentials, updatePassword } from "../store/credentials.ts";
import { deleteInvitation, insertInvitation, listInvitationRows, type StoredInvitation } from "../store/invitations.ts";
import { endSessionsOf } from "../store/sessions.ts";
import { accountView } from "../views/account.ts";

/** Finds an account by what its user signs in with. */
export async function findAccount(ctx: AccountContext, { userNameOrEmail }: FindAccountRequest) {
  const login = parseLogin(userNameOrEmail);
  const account = login && (await findAccountByLogin(ctx.pool, login));
  if (account === undefined) throw unknownAccount();
  return create(FindAccountResponseSchema, { account: accountView(account) });
}

/** Lists the newest accounts, or those that a name or an address finds. */
export async function searchAccounts(ctx: AccountContext, { search, take = 100 }: SearchAccountsRequest) {
  if (take < 1) throw invalid("take", "InclusiveBetween", "'Take' must be between 1 and 1000.");
  const limit = Math.min(take, 1_000);
  const found = await listFound(ctx, search, limit + 1);
  const accounts = found.slice(0, limit).map(({ deletionRequestedAt: at, ...account }) => ({
    account: accountView(account),
    deletionRequestedAt: at === null ? undefined : timestampFromDate(at),
  }));
  return create(SearchAccountsResponseSchema, { accounts, more: found.length > limit });
}

async function listFound({ pool }: AccountContext, search: string, limit: number) {
  if (search.trim() === "") return listNewestAccounts(pool, limit);
  const login = parseLogin(search);
  return login === undefined ? [] : listNamedAccounts(pool, login, limit);
}

/**
 * Sets a user's password without asking for the present one, and ends all sessions. The operator has checked whose account it is.
 */
export async function resetPassword(ctx: AccountContext, request: ResetPasswordRequest, call: HandlerContext) {
  const { userId, newPassword } = request;
  refuseFields([checkNewPassword(newPassword, ctx.config.passwords.minLength, "newPassword")]);
  const credentials = await findCredentials(ctx.pool, userId);
  if (credentials === undefined) throw unknownAccount();
  // An unclaimed account has no owner yet: ClaimAccount gives it to one.
  if (credentials.passwordHash === undefined) throw failedPrecondition("This imported account has no password yet.");
  const hash = await ctx.passwords.inTurn(call.signal, (hashing) => hashing.hash(newPassword));
  await transaction(ctx.pool, async (db) => {
    if (!(await updatePassword(db, credentials, hash))) throw conflict("The password was changed at the same moment.");
    await endSessionsOf(db, userId);
  });
  return create(ResetPasswordResponseSchema);
}

/** Ends all sessions of a user. The user may sign in again. */
export async function endSessions(ctx: AccountContext, { userId }: EndSessionsRequest) {
  return create(EndSessionsResponseSchema, { ended: await endSessionsOf(ctx.pool, userId) });
}

/** Makes an invitation to register, and returns its code, which is never shown again. */
export async function makeInvitation(ctx: AccountContext, { uses, maxAge }: MakeInvitationRequest) {
  refuseFields([checkRange("uses", uses, maxUses), checkRange("maxAge", maxAge, maxSeconds)]);
  const invitation = newInvitation();
  const made = await insertInvitation(ctx.pool, invitationHash(invitation), uses, maxAge);
  return create(MakeInvitationResponseSchema, { invitation, made: invitationView(made) });
}

/** Enough for a school. Registrations with one invitation wait for each other. */
const maxUses = 10_000;
/** 400 days, as long as the longest session. */
const maxSeconds = 400 * 24 * 3_600;

function checkRange(field: string, value: number, max: number) {
  if (value >= 1 && value <= max) return undefined;
  return badField(field, "InclusiveBetween", `'${fieldLabel(field)}' must be between 1 and ${max}.`);
}

/** Shows the invitations that have not expired. */
export async function listInvitations(ctx: AccountContext) {
  const invitations = await listInvitationRows(ctx.pool, maxInvitations);
  return create(ListInvitationsResponseSchema, { invitations: invitations.map(invitationView) });
}

/** More than an operator reads; invitations end by themselves. */
const maxInvitations = 1_000;

/** Ends an invitation. Accounts that were made with it stay. */
export async function revokeInvitation(ctx: AccountContext, { id }: RevokeInvitationRequest) {
  if (!(await deleteInvitation(ctx.pool, id))) throw notFound("There is no such invitation, or none any more.");
  return create(RevokeInvitationResponseSchema);
}

/** An invitation as an operator sees it: never its code. */
function invitationView({ createdAt, expiresAt, ...rest }: StoredInvitation): Invitation {
  return create(InvitationSchema, {
    ...rest,
    createdAt: timestampFromDate(createdAt),
    expiresAt: timestampFromDate(expiresAt),
  });
}
