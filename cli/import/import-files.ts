import type { Reporter } from "../reporter.ts";
import { collect } from "./collect.ts";
import { ImportResults, type ImportSummary } from "./results.ts";
import { sendStatuses } from "./send-statuses.ts";
import { sendUsers } from "./send-users.ts";
import type { ImportClients } from "./services.ts";
import type { ImportSource } from "./source.ts";
import { StatusSpool } from "./status-spool.ts";

/**
 * Imports users and statuses: reads all sources, then sends the users, then the statuses. Broken items are reported and
 * left out. The same sources always make the same calls, so that a second run changes nothing.
 * Memory holds every distinct user and the ids of all statuses, not the files.
 * @param origin the system that gave the ids, which are unique within it
 * @throws UserError when a service stays unavailable or refuses a whole call.
 */
export async function importFiles(
  clients: ImportClients,
  sources: readonly ImportSource[],
  report: Reporter,
  origin = "twitter",
): Promise<ImportSummary> {
  const results = new ImportResults(report);
  const spool = new StatusSpool();
  const ctx = { clients, results, report, spool, origin };
  try {
    const collection = await collect(ctx, sources);
    const authors = await sendUsers(ctx, collection.users);
    await sendStatuses(ctx, collection, authors);
    return results.summary();
  } finally {
    spool.close();
  }
}
