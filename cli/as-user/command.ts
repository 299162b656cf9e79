import { reasonsToLeaveOut } from "../archive/found.ts";
import { readCliConfig } from "../config.ts";
import { forOperator } from "../for-operator.ts";
import { openSources } from "../import/file-source.ts";
import { connectServices } from "../import/services.ts";
import { formatTally, type Tally } from "../import/tally.ts";
import { type Terminal, terminalReporter } from "../import/terminal-reporter.ts";
import { findAccount } from "./find-account.ts";
import { type ArchiveSummary, importArchive } from "./import-archive.ts";
import { jobName } from "./job.ts";

export interface AsUser {
  /** The name of the account that everything goes to. */
  as: string;
  dryRun: boolean;
}

/**
 * The command `import FILE… --as USER`: one job for each file, one after the other. Refusals and progress go to `err`; the
 * job and the counts to `out`, the job first, so that a killed import has told it.
 * @returns the exit code: 0 when nothing was refused and nothing failed, else 1.
 */
export async function runArchiveImport(files: string[], asUser: AsUser, out: Terminal, err: Terminal): Promise<number> {
  // All files are looked at first: a mistyped name among them must not leave half an import.
  const code = await forOperator(err, () => openSources(files).then(() => 0));
  if (code !== 0) return code;
  const codes: number[] = [];
  for (const file of files) {
    codes.push(await forOperator(err, () => importInto(file, asUser, out, err), `${file}: `));
  }
  return Math.max(...codes);
}

async function importInto(file: string, { as, dryRun }: AsUser, out: Terminal, err: Terminal): Promise<number> {
  const services = connectServices(readCliConfig());
  const reporter = terminalReporter(err);
  try {
    const { id: userId, screenName } = await findAccount(services.clients.social, as);
    const started = (job: Parameters<typeof jobName>[0], standing: bigint) => {
      out.write(`job ${jobName(job)}\n`);
      if (standing > 0n) out.write(`begun before, ${standing} of its statuses are here: it goes on\n`);
    };
    const summary = await importArchive(services.clients, file, { userId, screenName, dryRun, started }, reporter);
    reporter.done();
    for (const line of closingLines(summary, dryRun)) out.write(`${line}\n`);
    return summary.statuses.refused === 0 ? 0 : 1;
  } finally {
    reporter.done();
    services.close();
  }
}

// The very last line is for programs, as it is with files of users and statuses.
function closingLines({ statuses, leftOut }: ArchiveSummary, dryRun: boolean): string[] {
  const left = reasonsToLeaveOut.map((why) => `${why} ${leftOut[why]}`).join(", ");
  return [`left out: ${left}`, dryRun ? foreseen(statuses) : formatTally(statuses)];
}

function foreseen({ added, updated, unchanged, refused }: Tally): string {
  return `nothing was imported; would add ${added}, update ${updated}, leave unchanged ${unchanged}, refuse ${refused}`;
}
