import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { findAccount } from "../as-user/find-account.ts";
import { readCliConfig } from "../config.ts";
import { forOperator } from "../for-operator.ts";
import type { OperatorClients } from "../import/context.ts";
import type { ImportReporter } from "../import/reporter.ts";
import { connectServices } from "../import/services.ts";
import { type Terminal, terminalReporter } from "../import/terminal-reporter.ts";
import { exportTimeline } from "./export-timeline.ts";

/**
 * The command `export USER [FILE]`. A file gets its name when it is complete, so that a killed export leaves no half one
 * under it. Answers the exit code.
 */
export function runExport(name: string, file: string | undefined, out: Writable, err: Terminal): Promise<number> {
  return forOperator(err, async () => {
    const services = connectServices(readCliConfig());
    const reporter = terminalReporter(err);
    try {
      if (file === undefined) await writeTimeline(services.clients, name, out, reporter);
      else await writeFile(services.clients, name, file, reporter);
      return 0;
    } finally {
      reporter.done();
      services.close();
    }
  });
}

async function writeFile(clients: OperatorClients, name: string, file: string, report: ImportReporter): Promise<void> {
  const part = `${file}.part`;
  const stream = createWriteStream(part);
  try {
    await once(stream, "open");
    await writeTimeline(clients, name, stream, report);
    stream.end();
    await finished(stream);
    await rename(part, file);
  } catch (error) {
    stream.destroy();
    await rm(part, { force: true });
    throw error;
  }
}

async function writeTimeline(clients: OperatorClients, name: string, out: Writable, report: ImportReporter) {
  const user = await findAccount(clients.social, name);
  let done = 0;
  for await (const { text, statuses } of exportTimeline(clients.social, user)) {
    if (!out.write(text)) await once(out, "drain");
    done += statuses;
    report.progress({ phase: "exporting", done, share: Math.min(1, done / Math.max(user.statusesCount, 1)) });
  }
}
