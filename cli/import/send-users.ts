import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type AccountClaim, AccountClaimSchema } from "../../proto/gen/account/v1/account_service_pb.ts";
import { ImportedProfileSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { resultsOf } from "../call.ts";
import { batchesOf } from "./batches.ts";
import { type CollectedUser, placeName } from "./collection.ts";
import type { ImportContext } from "./results.ts";
import { compareIds } from "./twitter/fields.ts";

/** An author's user id here, or the reason why there is none. */
export type Author = { userId: bigint } | { refusal: string };

/** Claims an account for every user and stores the profiles, oldest ids first. The result is by id at the origin. */
export async function sendUsers(ctx: ImportContext, users: Map<string, CollectedUser>): Promise<Map<string, Author>> {
  const authors = new Map<string, Author>();
  const ordered = [...users.values()].sort((a, b) => compareIds(a.id, b.id));
  const progress = () => ctx.report.progress({ phase: "users", done: authors.size, share: authors.size / users.size });
  const single = ordered.map((user) => [user]);
  let stored = Promise.resolve();
  try {
    for (const batch of batchesOf(single, (user) => user.profile.length + overhead)) {
      if (authors.size === 0) progress();
      // While the profiles of the batch before are stored.
      const claimed = await claimAccounts(ctx, batch, authors);
      await stored;
      progress();
      stored = importProfiles(ctx, claimed, authors);
      // It may fail while the next accounts are claimed.
      stored.catch(() => {});
    }
    await stored;
    if (authors.size > 0) progress();
  } finally {
    await stored.catch(() => {});
  }
  return authors;
}

// Bytes of ids, lengths and tags around a profile.
const overhead = 64;

interface Claimed extends CollectedUser {
  userId: bigint;
}

async function claimAccounts(
  ctx: ImportContext,
  users: CollectedUser[],
  authors: Map<string, Author>,
): Promise<Claimed[]> {
  const claims = users.map(claimOf);
  const call = ctx.clients.account.claimAccounts({ origin: ctx.origin, claims });
  const results = await resultsOf("ClaimAccounts", users.length, call);
  return users.flatMap((user, index) => {
    const { userId = 0n, refusal = "" } = results[index] ?? {};
    if (userId > 0n && refusal === "") return [{ ...user, userId }];
    const reason = refusal || "the account service gave no user id";
    ctx.results.refuse("user", placeName(user.place), reason);
    authors.set(user.id, { refusal: reason });
    return [];
  });
}

function claimOf({ id, joinedMs, ...user }: CollectedUser): AccountClaim {
  const profile = fromBinary(UserSummarySchema, user.profile);
  return create(AccountClaimSchema, {
    originId: id,
    userName: profile.screenName,
    displayName: profile.name || profile.screenName,
    createdAt: timestampFromMs(joinedMs),
  });
}

async function importProfiles(ctx: ImportContext, users: Claimed[], authors: Map<string, Author>): Promise<void> {
  if (users.length === 0) return;
  const profiles = users.map(({ userId, id, profile }) =>
    create(ImportedProfileSchema, { userId, originId: id, profile: fromBinary(UserSummarySchema, profile) }),
  );
  const call = ctx.clients.imports.importProfiles({ origin: ctx.origin, profiles });
  const results = await resultsOf("ImportProfiles", users.length, call);
  for (const [index, result] of results.entries()) {
    const user = users[index] as Claimed;
    const refusal = ctx.results.record("user", placeName(user.place), result);
    authors.set(user.id, refusal === undefined ? { userId: user.userId } : { refusal });
  }
}
