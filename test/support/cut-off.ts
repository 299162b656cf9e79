/**
 * Runs `work` while a database cannot be reached: its connections, or those of one role, are ended, and new ones are refused to all
 * roles except the superuser.
 * @param admin runs a statement on the same server, in another database
 */
export async function whileCutOff<T>(
  admin: (text: string, values?: unknown[]) => Promise<unknown>,
  { database, role }: { database: string; role?: string },
  work: () => Promise<T>,
): Promise<T> {
  await admin(`alter database ${database} connection limit 0`);
  await admin(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and usename = coalesce($2, usename)`,
    [database, role],
  );
  return work().finally(() => admin(`alter database ${database} connection limit -1`));
}
