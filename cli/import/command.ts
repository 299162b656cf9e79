import { readCliConfig } from "../config.ts";
import { forOperator } from "../for-operator.ts";
import { openSources } from "./file-source.ts";
import { importFiles } from "./import-files.ts";
import type { ImportSummary } from "./ledger.ts";
import { connectServices } from "./services.ts";
import { formatTally } from "./tally.ts";
import { type Terminal, terminalReporter } from "./terminal-reporter.ts";

/**
 * The command `import FILE…`: refusals and progress go to `err`, the counts to `out`.
 * @returns the exit code: 0 when nothing was refused and nothing failed, else 1.
 */
export function runImport(files: string[], out: Terminal, err: Terminal): Promise<number> {
  return forOperator(err, async () => {
    const summary = await importInto(files, err);
    for (const line of closingLines(summary)) out.write(`${line}\n`);
    return summary.total.refused === 0 ? 0 : 1;
  });
}

async function importInto(files: string[], err: Terminal): Promise<ImportSummary> {
  const sources = await openSources(files);
  const services = connectServices(readCliConfig());
  const reporter = terminalReporter(err);
  try {
    return await importFiles(services.clients, sources, reporter);
  } finally {
    reporter.done();
    services.close();
  }
}

// The very last line is for programs; the two before it tell users and statuses apart.
function closingLines({ users, statuses, total, leftOut }: ImportSummary): string[] {
  const left = leftOut === 0 ? [] : [`left out: embedded statuses without their user ${leftOut}`];
  return [...left, `users: ${formatTally(users)}`, `statuses: ${formatTally(statuses)}`, formatTally(total)];
}
