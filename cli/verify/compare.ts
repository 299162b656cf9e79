import { setTimeout as sleep } from "node:timers/promises";
import type { AccountState } from "../../proto/gen/account/v1/verify_service_pb.ts";
import type { ProfileState } from "../../proto/gen/social/v1/verify_service_pb.ts";
import type { Clients } from "../import/services.ts";
import { printable } from "../reporter.ts";

/** What two services say of one user, and do not agree on. */
export interface Difference {
  userId: bigint;
  /** A sentence for the operator. */
  text: string;
  /** What brings them together: a job of the outbox, or the deletion of the account; none for what a person has to decide. */
  repair: "queue" | "delete" | undefined;
}

/** How much was compared. */
export interface Compared {
  accounts: number;
  profiles: number;
}

type Services = Pick<Clients, "accountVerify" | "verify">;

/**
 * Compares all accounts with all profiles, page by page, and reports each difference. What differs is read twice more, half a second
 * in all: a registration or a deletion under way is none.
 */
export async function compare(
  services: Services,
  report: (differences: Difference[]) => Promise<void>,
): Promise<Compared> {
  const compared: Compared = { accounts: 0, profiles: 0 };
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const page: Page = await readPage(services, after);
    let differences = differencesOf(page);
    for (const pause of pauses) {
      if (differences.length === 0) break;
      await sleep(pause);
      const again = differencesOf(await readPage(services, after));
      differences = differences.filter((one) =>
        again.some((two) => two.userId === one.userId && two.text === one.text),
      );
    }
    await report(differences);
    compared.accounts += page.accounts.filter(({ deleted }) => !deleted).length;
    compared.profiles += page.profiles.filter(({ deleted }) => !deleted).length;
    after = page.last;
  }
  return compared;
}

/** Milliseconds. */
const pauses = [100, 400];

/** All users of both services up to `last`; undefined: up to the end. */
interface Page {
  accounts: AccountState[];
  profiles: ProfileState[];
  last: bigint | undefined;
}

async function readPage({ accountVerify, verify }: Services, afterUserId: bigint): Promise<Page> {
  const [{ accounts, nextAfterUserId: lastAccount }, { profiles, nextAfterUserId: lastProfile }] = await Promise.all([
    accountVerify.listAccounts({ afterUserId }),
    verify.listProfiles({ afterUserId }),
  ]);
  const ends = [lastAccount, lastProfile].filter((end) => end !== 0n);
  const last = ends.length === 0 ? undefined : ends.reduce((one, two) => (one < two ? one : two));
  const isInside = ({ userId }: { userId: bigint }) => last === undefined || userId <= last;
  return { accounts: accounts.filter(isInside), profiles: profiles.filter(isInside), last };
}

function differencesOf({ accounts, profiles }: Page): Difference[] {
  const accountOf = new Map(accounts.map((account) => [account.userId, account]));
  const profileOf = new Map(profiles.map((profile) => [profile.userId, profile]));
  const userIds = [...new Set([...accountOf.keys(), ...profileOf.keys()])].sort((a, b) => (a < b ? -1 : 1));
  return userIds.flatMap((userId) => {
    const fault = faultOf(accountOf.get(userId), profileOf.get(userId));
    return fault === undefined ? [] : [{ userId, ...fault }];
  });
}

function faultOf(
  account: AccountState | undefined,
  profile: ProfileState | undefined,
): Omit<Difference, "userId"> | undefined {
  if (account === undefined) {
    // Of a deleted user nothing is left to compare.
    if (profile === undefined || profile.deleted) return undefined;
    return { text: `the profile @${printable(profile.screenName)} has no account`, repair: undefined };
  }
  if (account.deleted) {
    if (account.queued || (profile?.deleted && !account.unfinished)) return undefined;
    const fault = profile?.deleted ? "but something may be left" : "which the social service has not seen";
    return { text: `was deleted, ${fault}`, repair: "queue" };
  }
  const name = printable(account.userName);
  if (profile?.deleted)
    return { text: `${name} was deleted, which the account service has not seen`, repair: "delete" };
  if (profile === undefined) {
    // An unclaimed account only reserves the name for an import that goes on.
    if (account.queued || !account.claimed) return undefined;
    return { text: `the account ${name} has no profile`, repair: "queue" };
  }
  if (profile.screenName === account.userName) return undefined;
  return { text: `the account is named ${name}, the profile ${printable(profile.screenName)}`, repair: undefined };
}
