import type { Report } from "../../proto/gen/social/v1/moderation_service_pb.ts";
import { isNotFound } from "../call.ts";
import { UserError } from "../errors.ts";
import type { Clients } from "../import/services.ts";
import { counted, printable } from "../reporter.ts";
import { type AccountCommandContext, timeOf } from "./context.ts";

/** One line for each open report, the oldest first. */
export async function listReports({ clients, out }: AccountCommandContext): Promise<void> {
  let count = 0;
  for await (const report of openReports(clients)) {
    const reason = printable(report.reason);
    out.write(`${headOf(report)}: ${reason.length > 60 ? `${reason.slice(0, 59)}…` : reason}\n`);
    count++;
  }
  out.write(`${counted(count, "report")}\n`);
}

/** All of one open report. */
export async function showReport({ clients, out }: AccountCommandContext, id: bigint): Promise<void> {
  for await (const report of openReports(clients)) {
    if (report.id !== id) continue;
    const { statusId, statusText, reason, suspended, screenName } = report;
    const about = statusId === undefined ? [] : [`status ${statusId}: ${statusText ?? "it is gone"}`];
    const lines = [`${headOf(report)}, ${timeOf(report.createdAt)}`, ...about, `reason: ${reason}`];
    if (suspended) lines.push(`${screenName} is suspended`);
    for (const line of lines) out.write(`${printable(line)}\n`);
    return;
  }
  throw new UserError(`There is no open report ${id}.`);
}

/** Closes a report. Closing one again changes nothing. @throws UserError when there is none */
export async function closeReport({ clients, out }: AccountCommandContext, id: bigint): Promise<void> {
  try {
    await clients.moderation.closeReport({ id });
  } catch (error) {
    throw isNotFound(error) ? new UserError(`There is no report ${id}.`) : error;
  }
  out.write(`report ${id} is closed\n`);
}

/** All open reports, the oldest first. */
export async function* openReports({ moderation }: Clients): AsyncGenerator<Report> {
  let afterId = 0n;
  do {
    const page = await moderation.listReports({ afterId });
    yield* page.reports;
    afterId = page.nextAfterId;
  } while (afterId !== 0n);
}

/** A report in a few words: its id, whom and what it is about, and who made it. */
export function headOf({ id, screenName, statusId, reporterScreenName }: Report): string {
  return `report ${id}: ${screenName}${statusId === undefined ? "" : `, status ${statusId}`}, by ${reporterScreenName}`;
}
