import { UserError } from "../../../cli/errors.ts";
import { ConfigurationError } from "../../platform/environment.ts";
import { loadBackupConfig } from "./config.ts";
import { runBackup } from "./run.ts";

try {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const print = (text: string) => void process.stdout.write(text);
  process.exitCode = await runBackup(process.argv.slice(2), loadBackupConfig, say, print);
} catch (error) {
  const isKnown = error instanceof UserError || error instanceof ConfigurationError;
  // A full disk, a missing file or a server that does not answer: Node's error names the system call.
  if (!isKnown && !(error instanceof Error && "syscall" in error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
