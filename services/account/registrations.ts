import { batchCalls } from "../platform/batch-calls.ts";
import type { Log } from "../platform/log.ts";
import { isConnectionFailure, retryConflicts } from "../platform/postgres/failures.ts";
import type { Pool } from "../platform/postgres/pool.ts";
import type { Passwords } from "./hashing/passwords.ts";
import { createProfiles, type FinishedProfileJobs, type ProfileClient } from "./jobs/create-profile.ts";
import {
  type Account,
  insertRegistered,
  listTaken,
  type Registered,
  type Taken,
  type WantedNames,
} from "./store/registrations.ts";

/** Batches the calls that registrations make to the database and to the social service (docs/decisions/outbox-retries.md). */
export interface Registrations {
  /** Which of these names are taken. */
  listTaken(wanted: WantedNames): Promise<Taken>;
  /** Adds an account; undefined when its name or its address is taken. */
  add(registered: Registered): Promise<Added | undefined>;
  /**
   * Has the social service make the profiles of accounts, whose jobs are then removed. Never rejects: the outbox repeats what
   * fails.
   */
  makeProfiles(accounts: readonly Account[]): Promise<void>;
}

/** An account that was added. */
export interface Added {
  account: Account;
  /** Resolves when its profile was asked for. Never rejects. */
  profile: Promise<void>;
}

interface Parts {
  pool: Pool;
  passwords: Passwords;
  profiles: ProfileClient;
  finishedProfileJobs: FinishedProfileJobs;
  log: Log;
}

/**
 * A single registration waits for no other. While many hashes wait, the next batch waits as well: the processor is busy with hashing,
 * and each registration of a larger batch costs less.
 */
export function createRegistrations({ pool, passwords, profiles, finishedProfileJobs, log }: Parts): Registrations {
  // Half, since a registration waits for one batch before its hash and for another one after it.
  const minIntervalMs = () => Math.min(maxIntervalMs, passwords.backlogMs() / 2);

  async function addAll(
    batch: readonly Registered[],
  ): Promise<readonly (Added | undefined | Promise<Added | undefined>)[]> {
    try {
      const insert = () => insertRegistered(pool, batch);
      const accounts = await (batch.length === 1 ? retryConflicts(insert) : insert());
      const profile = makeProfiles(accounts.filter((account) => account !== undefined));
      return accounts.map((account) => account && { account, profile });
    } catch (error) {
      if (batch.length === 1 || isConnectionFailure(error)) throw error;
      // One registration can make the whole batch fail, so each is tried alone.
      return batch.map(async (one) => (await addAll([one]))[0]);
    }
  }

  async function makeProfiles(accounts: readonly Account[]): Promise<void> {
    if (accounts.length === 0) return;
    try {
      await createProfiles(profiles, accounts);
      for (const { userId } of accounts) finishedProfileJobs.add(userId);
    } catch (error) {
      const userIds = accounts.map(({ userId }) => userId.toString());
      log.warn({ err: error, userIds }, "profiles follow by the outbox");
    }
  }

  return {
    listTaken: batchCalls((wanted: readonly WantedNames[]) => listTaken(pool, wanted), { maxSize, minIntervalMs }),
    add: batchCalls(addAll, { maxSize, minIntervalMs }),
    makeProfiles,
  };
}

/** Milliseconds: less than users notice in a registration. */
const maxIntervalMs = 50;

const maxSize = 32;

/** The names that registrations of this process are about to take. */
export interface PendingNames {
  /**
   * Runs work while no other work has one of these names, so that only one of many concurrent registrations for a name costs a hash.
   * @param check runs after each wait for other work, which may have taken a name by then; what it throws ends this
   */
  hold<T>(names: readonly string[], check: () => Promise<void>, work: () => Promise<T>): Promise<T>;
}

export function createPendingNames(): PendingNames {
  /** By name, the end of the work that has it; never rejects. */
  const holders = new Map<string, Promise<void>>();
  const holderOf = (names: readonly string[]) =>
    names.map((name) => holders.get(name)).find((holder) => holder !== undefined);

  return {
    async hold(names, check, work) {
      for (let holder = holderOf(names); holder !== undefined; holder = holderOf(names)) {
        await holder;
        await check();
      }
      // All names are free, and nothing is awaited before they are taken.
      let end = () => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      for (const name of names) holders.set(name, ended);
      try {
        return await work();
      } finally {
        for (const name of names) holders.delete(name);
        end();
      }
    },
  };
}
