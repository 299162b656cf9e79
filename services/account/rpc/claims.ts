import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import {
  type AccountClaim,
  type ClaimAccountRequest,
  ClaimAccountResponseSchema,
  type ClaimAccountsRequest,
  ClaimAccountsRequestSchema,
  ClaimAccountsResponseSchema,
} from "../../../proto/gen/account/v1/account_service_pb.ts";
import { badField, failedPrecondition, invalidFields, refuseFields } from "../../platform/errors.ts";
import { checkImportBatch } from "../../platform/max-entries.ts";
import { retryConflicts, violatedUnique } from "../../platform/postgres/failures.ts";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import { idEpoch, isOriginId } from "../../platform/rules/ids.ts";
import { isScreenName, nameKey } from "../../platform/rules/screen-name.ts";
import { holdsNul } from "../../platform/storable.ts";
import type { AccountConfig } from "../config.ts";
import type { AccountContext } from "../context.ts";
import { checkEmail, emailKey } from "../domain/email.ts";
import { unknownAccount } from "../domain/errors.ts";
import { checkNewPassword } from "../domain/password.ts";
import { isFreeForNewUser, personalNameMaxLength, unlessBlank } from "../domain/registration-form.ts";
import { claimAccountRow, type FirstPassword, findAccount } from "../store/accounts.ts";
import {
  type ClaimedName,
  deleteClaimed,
  insertClaimed,
  listClaimed,
  lockClaimed,
  type NameClaim,
  renameClaimed,
} from "../store/claim-names.ts";
import { listDeletedOrigins } from "../store/deletions.ts";
import { accountView } from "../views/account.ts";

/**
 * Reserves the names of imported users. A bad or taken claim is refused and does not affect the others. A name that no new user may have is
 * left to an imported one who already has it.
 */
export async function claimAccounts(ctx: AccountContext, request: ClaimAccountsRequest) {
  checkImportBatch(ClaimAccountsRequestSchema, request);
  const parsed = withoutDuplicates(request.claims.map(parseClaim));
  const claims = parsed.filter((claim) => typeof claim === "object");

  const isFree = ({ userName }: NameClaim) => isFreeForNewUser(userName, ctx.config.reservedNames);
  // In one order in all calls, so that two of them never wait for each other.
  const ordered = claims.toSorted((a, b) => (a.originId < b.originId ? -1 : 1));
  const { gone, held } = await retryConflicts(() =>
    transaction(ctx.pool, (db) => claimNames(db, request.origin, ordered, isFree)),
  );

  const results = parsed.map((claim) => {
    if (typeof claim === "string") return { refusal: claim };
    if (gone.has(claim.originId)) return { refusal: "its person has deleted the account" };
    const account = held.get(claim.originId);
    const hasName = account !== undefined && nameKey(account.userName) === nameKey(claim.userName);
    if (hasName) return { userId: account.userId };
    return { refusal: `the name ${claim.userName} is ${isFree(claim) ? "taken" : "reserved"}` };
  });
  return create(ClaimAccountsResponseSchema, { results });
}

/** The results of claims. */
interface Claimed {
  /** By the origin's ids. */
  held: Map<string, ClaimedName>;
  /** The origin's ids of users who have deleted their account here: importing an archive again does not bring them back. */
  gone: Set<string>;
}

/**
 * Gives each claim its name and an id. Two users of the same second may draw the same id: then one of them draws again, unless the name
 * was taken.
 */
async function claimNames(
  db: Db,
  origin: string,
  all: readonly NameClaim[],
  isFree: (claim: NameClaim) => boolean,
): Promise<Claimed> {
  const originIds = all.map((claim) => claim.originId);
  await lockClaimed(db, origin, originIds);
  // After the locks: a deletion may have held one of them.
  const gone = new Set(await listDeletedOrigins(db, origin, originIds));
  const open = all.filter((claim) => !gone.has(claim.originId));
  const claims = open.filter(isFree);
  // One rename may free the name that another one waits for.
  while ((await renameClaimed(db, origin, claims)) > 0);
  const held = new Map<string, ClaimedName>();
  const note = async (asked: readonly NameClaim[]) => {
    const ids = asked.map((claim) => claim.originId);
    for (const account of await listClaimed(db, origin, ids)) held.set(account.originId, account);
  };
  if (claims.length < open.length) await note(open.filter((claim) => !isFree(claim)));
  let missing = claims;
  for (let draw = 0; draw < 8 && missing.length > 0; draw++) {
    await insertClaimed(db, origin, missing);
    await note(missing);
    missing = missing.filter((claim) => !held.has(claim.originId));
  }
  // While an insert waited for a name, another import may have added one of the others, whose account was then deleted.
  const goneMeanwhile = await listDeletedOrigins(
    db,
    origin,
    claims.map((claim) => claim.originId),
  );
  if (goneMeanwhile.length > 0) await deleteClaimed(db, origin, goneMeanwhile);
  for (const originId of goneMeanwhile) gone.add(originId);
  return { held, gone };
}

/** Refuses every claim whose id or name an earlier one of the batch has. */
function withoutDuplicates(parsed: readonly (NameClaim | string)[]): (NameClaim | string)[] {
  const ids = new Set<string>();
  const names = new Set<string>();
  return parsed.map((claim) => {
    if (typeof claim === "string") return claim;
    const name = nameKey(claim.userName);
    if (ids.has(claim.originId)) return "its id occurs twice in one batch";
    if (names.has(name)) return `the name ${claim.userName} is asked for twice in one batch`;
    ids.add(claim.originId);
    names.add(name);
    return claim;
  });
}

/** A claim that can be stored, or the reason why it cannot. */
function parseClaim(claim: AccountClaim): NameClaim | string {
  if (!isOriginId(claim.originId)) return "it has no usable id";
  if (!isScreenName(claim.userName)) return "the screen name is not usable";
  const createdAt = claim.createdAt && timestampDate(claim.createdAt);
  if (createdAt === undefined || !(createdAt.getTime() >= idEpoch && createdAt.getTime() <= Date.now())) {
    return "created_at must lie between 2006 and now";
  }
  if (holdsNul(claim.displayName)) return "its name holds a NUL character";
  const displayName = [...claim.displayName].slice(0, personalNameMaxLength).join("") || claim.userName;
  return { originId: claim.originId, userName: claim.userName, displayName, createdAt };
}

/** Gives an imported account to its owner by setting its first password. The operator has checked whose it is. */
export async function claimAccount(ctx: AccountContext, request: ClaimAccountRequest, call: HandlerContext) {
  const { userId, password } = request;
  const email = unlessBlank(request.email);
  checkFirstPassword(password, email, ctx.config);
  await checkUnclaimed(ctx, userId);
  const passwordHash = await ctx.passwords.inTurn(call.signal, ({ hash }) => hash(password));
  // Another claim may have come first; reading again determines the error.
  if (!(await storeClaim(ctx, { userId, passwordHash, email, emailKey: email && emailKey(email) })))
    await checkUnclaimed(ctx, userId);
  const account = await findAccount(ctx.pool, userId);
  if (account === undefined) throw unknownAccount();
  return create(ClaimAccountResponseSchema, { account: accountView(account) });
}

function checkFirstPassword(password: string, email: string | undefined, config: AccountConfig): void {
  refuseFields([
    checkNewPassword(password, config.passwords.minLength),
    email === undefined ? undefined : checkEmail(email),
  ]);
}

/** @throws NotFound for an unknown account, FailedPrecondition for a claimed one */
async function checkUnclaimed(ctx: AccountContext, userId: bigint): Promise<void> {
  const account = await findAccount(ctx.pool, userId);
  if (account === undefined) throw unknownAccount();
  if (account.claimed) throw failedPrecondition("This account has an owner already.");
}

async function storeClaim(ctx: AccountContext, claim: FirstPassword): Promise<boolean> {
  try {
    return await claimAccountRow(ctx.pool, claim);
  } catch (error) {
    if (violatedUnique(error) !== "account_email_key") throw error;
    throw invalidFields([badField("email", "AlreadyExists", "Email already exists")]);
  }
}
