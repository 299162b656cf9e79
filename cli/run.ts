import type { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { runArchiveImport } from "./as-user/command.ts";
import { parseJobName } from "./as-user/job.ts";
import { runUndo } from "./as-user/undo-command.ts";
import { runExport } from "./export/command.ts";
import { runImport } from "./import/command.ts";
import type { Terminal } from "./import/terminal-reporter.ts";
import { usage } from "./usage.ts";
import { runVerify } from "./verify/command.ts";

/** Runs the tool with these arguments; answers the exit code. */
export async function run(args: string[], out: Writable, err: Terminal): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    if (values.help) {
      out.write(usage);
      return 0;
    }
    const [command, ...rest] = positionals;
    const { as, undo, "dry-run": dryRun = false } = values;
    if (command === "import" && undo !== undefined && as === undefined && rest.length === 0) {
      const job = parseJobName(undo);
      if (job !== undefined) return await runUndo(job, dryRun, out, err);
      err.write(`${undo} is no job: an import says its job in its first line.\n\n`);
    } else if (command === "import" && as !== undefined && undo === undefined && rest.length > 0) {
      return await runArchiveImport(rest, { as, dryRun }, out, err);
    } else if (command === "import" && undo === undefined && !dryRun && rest.length > 0) {
      return await runImport(rest, out, err);
    } else if (command === "export" && Object.keys(values).length === 0) {
      const [user, file, ...more] = rest;
      if (user !== undefined && more.length === 0) return await runExport(user, file, out, err);
    } else if (command === "verify" && positionals.length === 1 && Object.keys(values).length === 0) {
      return await runVerify(out, err);
    }
  } catch (error) {
    // parseArgs throws TypeErrors with a code for options that it does not know.
    if (!(error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")))
      throw error;
    err.write(`${error.message}\n\n`);
  }
  err.write(usage);
  return 2;
}

const options = {
  as: { type: "string" },
  undo: { type: "string" },
  "dry-run": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;
