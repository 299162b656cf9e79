import { ArchiveFault } from "../archive/archive.ts";
import { reasonsToLeaveOut } from "../archive/user-archive.ts";
import { findProfile } from "../find-user.ts";
import { checkReadable } from "../import/file-source.ts";
import { type Counts, defaultedLines, formatCounts } from "../import/results.ts";
import { printable, type Terminal } from "../reporter.ts";
import { type CommandContext, reportFailure, runCommand } from "../run-command.ts";
import { type ArchiveSummary, importArchive } from "./import-archive.ts";
import { type Job, jobName, undoJob } from "./job.ts";

export interface AsUser {
  /** The screen name of the account that receives the statuses. */
  as: string;
  dryRun: boolean;
}

/**
 * The command `import FILE… --as USER`: one job for each file, one after the other. Refusals and progress go to `err`; the
 * job and the counts to `out`, the job first, so that it is known when the import is killed.
 * @returns the exit code: 0 when each file holds posts, nothing was refused and nothing failed, else 1.
 */
export function runArchiveImport(files: string[], asUser: AsUser, out: Terminal, err: Terminal): Promise<number> {
  return runCommand(err, ["social"], async (session) => {
    session.onStop(() => "Nothing was imported.");
    // Checks all files first: a mistyped name must not leave half an import.
    await checkReadable(files);
    const user = await findProfile(session.clients.social, asUser.as);
    let [code, sent] = [0, false];
    for (const file of files) {
      const result = await importInto(session, user, { file, dryRun: asUser.dryRun, sentEarlier: sent }, out, err);
      code = Math.max(code, result.code);
      sent ||= result.sent;
    }
    return code;
  });
}

async function importInto(
  { clients, reporter, onStop }: CommandContext,
  { id: userId, screenName }: { id: bigint; screenName: string },
  { file, dryRun, sentEarlier }: OneOfFiles,
  out: Terminal,
  err: Terminal,
): Promise<{ code: number; sent: boolean }> {
  let job = "";
  let isSending = false;
  const whatWasStored = () => {
    if (dryRun || !(isSending || sentEarlier)) return "Nothing was imported.";
    if (!isSending) return `Nothing of ${file} was imported. What was sent of the files before it is stored.`;
    const what = sentEarlier ? `What was sent of ${file}` : "What was sent";
    return `${what} is stored. Run the same command again to continue; npm run import -- --undo ${job} removes it.`;
  };
  onStop(whatWasStored);
  const started = (begun: Job, existing: bigint) => {
    job = jobName(begun);
    isSending = existing > 0n;
    out.write(`job ${job}\n`);
    if (isSending) out.write(`begun before, ${existing} of its statuses are stored: it continues\n`);
  };
  const report = {
    refused: reporter.refused,
    progress: (progress: Parameters<typeof reporter.progress>[0]) => {
      isSending ||= progress.phase === "statuses";
      reporter.progress(progress);
    },
  };
  try {
    const summary = await importArchive(clients, file, { userId, screenName, dryRun, started }, report);
    reporter.done();
    for (const line of closingLines(summary, dryRun)) out.write(`${line}\n`);
    const { statuses, leftOut } = summary;
    const isNothing = [...Object.values(statuses), ...Object.values(leftOut)].every((count) => count === 0);
    if (isNothing) err.write(printable(`${file}: it holds no posts`).concat("\n"));
    return { code: isNothing || statuses.refused > 0 ? 1 : 0, sent: isSending };
  } catch (error) {
    reporter.done();
    if (error instanceof ArchiveFault) err.write(printable(`${file}: `));
    reportFailure(err, error, whatWasStored());
    return { code: 1, sent: isSending };
  }
}

interface OneOfFiles {
  file: string;
  dryRun: boolean;
  /** Whether statuses of an earlier file of the command were sent. */
  sentEarlier: boolean;
}

// Programs read the last line, which is the same for every kind of import.
function closingLines(summary: ArchiveSummary, dryRun: boolean): string[] {
  const { statuses, leftOut } = summary;
  const left = reasonsToLeaveOut.map((why) => `${why} ${leftOut[why]}`).join(", ");
  return [`left out: ${left}`, ...defaultedLines(summary), dryRun ? plannedCounts(statuses) : formatCounts(statuses)];
}

function plannedCounts({ added, updated, unchanged, refused }: Counts): string {
  return `nothing was imported; would add ${added}, update ${updated}, leave unchanged ${unchanged}, refuse ${refused}`;
}

/** The command `import --undo JOB`: says on `out` how many statuses it removed. Returns the exit code. */
export function runUndo(job: Job, dryRun: boolean, out: Terminal, err: Terminal): Promise<number> {
  return runCommand(err, ["social"], async ({ clients, reporter, onStop }) => {
    if (dryRun) {
      const { statuses } = await clients.imports.countImported({ job });
      out.write(`nothing was removed; would remove ${statuses}\n`);
      return 0;
    }
    onStop(() => `${reporter.latest?.done ?? 0} statuses were removed. The same command removes the rest.`);
    const removed = await undoJob(clients, job, reporter);
    reporter.done();
    out.write(`removed ${removed}\n`);
    return 0;
  });
}
