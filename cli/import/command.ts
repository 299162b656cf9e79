import type { Progress, Terminal } from "../reporter.ts";
import { runCommand } from "../run-command.ts";
import { openSources } from "./file-source.ts";
import { importFiles } from "./import-files.ts";
import { defaultedLines, formatCounts, type ImportSummary } from "./results.ts";

/**
 * The command `import FILE…`: refusals and progress go to `err`, the counts to `out`.
 * @returns the exit code: 0 when something was read, nothing was refused and nothing failed, else 1.
 */
export function runImport(files: string[], out: Terminal, err: Terminal): Promise<number> {
  return runCommand(err, ["account", "social"], async ({ clients, reporter, onStop }) => {
    onStop(() => whatWasStored(reporter.latest));
    const summary = await importFiles(clients, await openSources(files), reporter);
    reporter.done();
    for (const line of closingLines(summary)) out.write(`${line}\n`);
    const { total, leftOut } = summary;
    const isNothing = [...Object.values(total), ...Object.values(leftOut)].every((count) => count === 0);
    if (isNothing) err.write("Nothing was imported: there is neither a user nor a status.\n");
    return isNothing || total.refused > 0 ? 1 : 0;
  });
}

function whatWasStored(latest: Progress | undefined): string {
  if (latest === undefined || latest.phase === "reading") return "Nothing was imported.";
  return `What was sent is stored (${latest.phase}: ${latest.done}). Run the same command again to continue.`;
}

// Programs read the last line; the two before it count users and statuses separately.
function closingLines(summary: ImportSummary): string[] {
  const { users, statuses, total, leftOut } = summary;
  const reasons = Object.entries(leftOut).map(([why, count]) => `${why} ${count}`);
  const left = reasons.length === 0 ? [] : [`left out: ${reasons.join(", ")}`];
  return [
    ...left,
    ...defaultedLines(summary),
    `users: ${formatCounts(users)}`,
    `statuses: ${formatCounts(statuses)}`,
    formatCounts(total),
  ];
}
