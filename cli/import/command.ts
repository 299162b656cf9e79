import type { Progress, Terminal } from "../reporter.ts";
import { runCommand } from "../run-command.ts";
import { openSources } from "./file-source.ts";
import { importFiles } from "./import-files.ts";
import { formatCounts, type ImportSummary } from "./results.ts";

/**
 * The command `import FILE…`: refusals and progress go to `err`, the counts to `out`.
 * @returns the exit code: 0 when nothing was refused and nothing failed, else 1.
 */
export function runImport(files: string[], out: Terminal, err: Terminal): Promise<number> {
  return runCommand(err, ["account", "social"], async ({ clients, reporter, onStop }) => {
    onStop(() => whatWasStored(reporter.latest));
    const summary = await importFiles(clients, await openSources(files), reporter);
    reporter.done();
    for (const line of closingLines(summary)) out.write(`${line}\n`);
    return summary.total.refused === 0 ? 0 : 1;
  });
}

function whatWasStored(latest: Progress | undefined): string {
  if (latest === undefined || latest.phase === "reading") return "Nothing was imported.";
  return `What was sent is stored (${latest.phase}: ${latest.done}). Run the same command again to continue.`;
}

// Programs read the last line; the two before it count users and statuses separately.
function closingLines({ users, statuses, total, leftOut }: ImportSummary): string[] {
  const left = leftOut === 0 ? [] : [`left out: embedded statuses without their user ${leftOut}`];
  return [...left, `users: ${formatCounts(users)}`, `statuses: ${formatCounts(statuses)}`, formatCounts(total)];
}
