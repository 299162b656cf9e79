import { readCliConfig } from "../config.ts";
import { forOperator } from "../for-operator.ts";
import { connectServices } from "../import/services.ts";
import { type Terminal, terminalReporter } from "../import/terminal-reporter.ts";
import type { Job } from "./job.ts";
import { countJob, undoJob } from "./undo-job.ts";

/** The command `import --undo JOB`: says on `out` how many statuses it took back. Answers the exit code. */
export function runUndo(job: Job, dryRun: boolean, out: Terminal, err: Terminal): Promise<number> {
  return forOperator(err, async () => {
    const services = connectServices(readCliConfig());
    const reporter = terminalReporter(err);
    try {
      if (dryRun) {
        out.write(`nothing was removed; would remove ${await countJob(services.clients, job)}\n`);
        return 0;
      }
      const removed = await undoJob(services.clients, job, reporter);
      reporter.done();
      out.write(`removed ${removed}\n`);
      return 0;
    } finally {
      reporter.done();
      services.close();
    }
  });
}
