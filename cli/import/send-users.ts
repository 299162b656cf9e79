import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type AccountClaim, AccountClaimSchema } from "../../proto/gen/account/v1/account_service_pb.ts";
import { ImportedProfileSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { batchesOf } from "./batches.ts";
import { callBatch } from "./call.ts";
import { type Person, placeName } from "./collection.ts";
import type { ImportContext } from "./context.ts";
import { compareIds } from "./twitter/origin-id.ts";

/** What became of an author: a user id here, or why there is none. */
export type Author = { userId: bigint } | { refusal: string };

/** Claims an account for every person and stores the profiles, oldest ids first. Answers by id at the origin. */
export async function sendUsers(ctx: ImportContext, people: Map<string, Person>): Promise<Map<string, Author>> {
  const authors = new Map<string, Author>();
  const ordered = [...people.values()].sort((a, b) => compareIds(a.id, b.id));
  for (const batch of batchesOf(ordered, (person) => person.profile.length + overhead)) {
    const claimed = await claimAccounts(ctx, batch, authors);
    if (claimed.length > 0) await importProfiles(ctx, claimed, authors);
    ctx.report.progress({ phase: "users", done: authors.size, share: authors.size / people.size });
  }
  return authors;
}

// Ids, lengths and tags around a profile.
const overhead = 64;

interface Claimed extends Person {
  userId: bigint;
}

async function claimAccounts(ctx: ImportContext, people: Person[], authors: Map<string, Author>): Promise<Claimed[]> {
  const claims = people.map(claimOf);
  const call = () => ctx.clients.account.claimAccounts({ origin: ctx.origin, claims });
  const results = await callBatch("ClaimAccounts", people.length, call, ctx.wait);
  return people.flatMap((person, index) => {
    const { userId = 0n, refusal = "" } = results[index] ?? {};
    if (userId > 0n && refusal === "") return [{ ...person, userId }];
    const reason = refusal || "the account service gave no user id";
    ctx.ledger.refuse("user", placeName(person.place), reason);
    authors.set(person.id, { refusal: reason });
    return [];
  });
}

function claimOf({ id, joinedMs, ...person }: Person): AccountClaim {
  const profile = fromBinary(UserSummarySchema, person.profile);
  return create(AccountClaimSchema, {
    originId: id,
    userName: profile.screenName,
    displayName: profile.name || profile.screenName,
    createdAt: timestampFromMs(joinedMs),
  });
}

async function importProfiles(ctx: ImportContext, people: Claimed[], authors: Map<string, Author>): Promise<void> {
  const profiles = people.map(({ userId, id, profile }) =>
    create(ImportedProfileSchema, { userId, originId: id, profile: fromBinary(UserSummarySchema, profile) }),
  );
  const call = () => ctx.clients.imports.importProfiles({ origin: ctx.origin, profiles });
  const results = await callBatch("ImportProfiles", people.length, call, ctx.wait);
  for (const [index, result] of results.entries()) {
    const person = people[index] as Claimed;
    const refusal = ctx.ledger.record("user", placeName(person.place), result);
    authors.set(person.id, refusal === undefined ? { userId: person.userId } : { refusal });
  }
}
