import { type OpenTransaction, whileUncommitted } from "../support/open-transaction.ts";
import type { TestServices } from "../support/services.ts";

/** Runs `work` while another transaction locks the profiles of these users. */
export async function whileLocked<T>(
  { database }: TestServices,
  userIds: readonly bigint[],
  work: (locked: OpenTransaction) => Promise<T>,
): Promise<T> {
  const lock = "select from social.lock_profiles($1)";
  return whileUncommitted(database.social, [[lock, [userIds]]], work);
}
