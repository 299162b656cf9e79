import { ConnectError } from "@connectrpc/connect";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";
import { type Asserted, type Author, authorSubject, type Subject, viewerSubject } from "../domain/subjects.ts";
import { listNames } from "../store/profiles/list-names.ts";
import { type LockedProfile, lockProfiles } from "../store/profiles/lock-profiles.ts";

/** What the work of a write may use. A refusal asserts the state of everything that was looked up here: see `write`. */
export interface WriteTransaction {
  /** Everything that it runs commits together or not at all. */
  db: Db;
  /** Locks these users' rows, in ascending order of id; by user id, without those who have no profile. */
  lock(userIds: readonly bigint[]): Promise<Map<bigint, LockedProfile>>;
  /** These users as authors, by each of their names, and as viewers; also those whose profile was deleted, without those who never had one. */
  subjectsOf(userIds: readonly bigint[]): Promise<Subject[]>;
  /** Adds subjects that were looked up by other code. */
  noteLookedUp(subjects: readonly Subject[]): void;
}

/**
 * Runs a write in one transaction, and announces the subjects whose state its answer asserts before it returns: another write may
 * have made that state a moment ago without having announced it yet (design §5). A refusal is an answer as well: it asserts the
 * state of everything that the work has looked up. After a conflict `work` runs again, so it must not keep anything of an attempt.
 * When to use this and when `writeOnce`: see the README of this service.
 * @param authorIds the users whose rows it locks, as far as they are known before
 * @param inBatch is tried first: does the same in one transaction with other writes, or does nothing and resolves to undefined
 * @throws Aborted when it conflicted each time, ResourceExhausted when too many writes wait
 */
export async function write<T>(
  ctx: SocialContext,
  authorIds: readonly bigint[],
  work: (tx: WriteTransaction) => Promise<Asserted<T>>,
  inBatch?: () => Promise<Asserted<T> | undefined>,
): Promise<T> {
  let lookedUp: Subject[] = [];
  const attempt = (lockTimeoutMs: number) => {
    lookedUp = [];
    return transaction(ctx.pool, (db) => work(writeOn(db, lookedUp)), lockTimeoutMs);
  };
  try {
    const { answer, subjects } = await ctx.writes.run(authorIds, attempt, inBatch);
    await ctx.freshness.announce(subjects);
    return answer;
  } catch (error) {
    if (error instanceof ConnectError) await ctx.freshness.announce(lookedUp);
    throw error;
  }
}

/** @param lookedUp gets the subjects of all users who are looked up */
function writeOn(db: Db, lookedUp: Subject[]): WriteTransaction {
  const subjectsOf = async (userIds: readonly bigint[]) => {
    const subjects = (await listNames(db, userIds)).flatMap(bothSubjects);
    lookedUp.push(...subjects);
    return subjects;
  };
  return {
    db,
    async lock(userIds) {
      const locked = await lockProfiles(db, userIds);
      lookedUp.push(...[...locked.values()].flatMap(bothSubjects));
      const missing = userIds.filter((id) => !locked.has(id));
      if (missing.length > 0) await subjectsOf(missing);
      return locked;
    },
    subjectsOf,
    noteLookedUp: (subjects) => void lookedUp.push(...subjects),
  };
}

function bothSubjects(user: Author & { user_id: bigint }): Subject[] {
  return [authorSubject(user), viewerSubject(user)];
}
