import { parseOptions, readCall, UsageError } from "../../platform/parse-options.ts";
import { noteRestored } from "../load-sample.ts";
import type { Counted } from "./check-backup.ts";
import type { BackupConfig } from "./config.ts";
import { openDatabases } from "./databases.ts";
import { sayProgress } from "./progress.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

const help = `usage: npm run backup -- FILE
       npm run restore -- FILE [--replace]

backup writes all data of both services to FILE, without sessions, while the system runs or not. FILE holds password hashes and
addresses: keep it secret. restore puts it into databases without data, or with --replace instead of their data. All users have
to sign in again, with the passwords of that time.

Settings (environment): DATABASE_URL, or ACCOUNT_DATABASE_URL and SOCIAL_DATABASE_URL, as the services have them; without any the
data of npm start in ROOST_HOME, .roost by default. docs/operations.md says more.

Examples:
  npm run backup -- roost.backup
  DATABASE_URL=postgres://roost@db.example/roost npm run restore -- roost.backup
`;

/**
 * Runs one command.
 * @param say prints a line of progress, or what is wrong
 * @param print prints the help that was asked for
 * @returns the exit code: 2 for a wrong call
 * @throws UserError for what the operator can correct
 */
export async function runBackup(
  args: string[],
  readConfig: () => BackupConfig,
  say: (line: string) => void,
  print: (text: string) => void,
): Promise<number> {
  const call = readCall(args, help, parsed, { print, refuse: say });
  if (typeof call === "number") return call;
  const { isBackup, file, replace } = call;
  const config = readConfig();
  const databases = await openDatabases(config, !isBackup, say);
  const progress = sayProgress(say);
  try {
    const counted = await (isBackup
      ? writeBackup(databases, file, progress)
      : restoreBackup(databases, file, replace, progress));
    say(summary(counted, isBackup ? `${file} is whole` : "Restored"));
  } finally {
    await databases.close();
  }
  if (!isBackup && config.urls === undefined) noteRestored(config.home);
  if (!isBackup)
    say("All sessions have ended. Passwords are those of that time. Run npm run verify once the services run.");
  return 0;
}

function summary({ header, tables, rows }: Counted, what: string): string {
  const moment = header.isOneMoment ? "of one moment" : "accounts later than profiles";
  return `${what}: ${tables} tables, ${rows} rows, of ${header.madeAt}, ${moment}.`;
}

interface Call {
  isBackup: boolean;
  file: string;
  replace: boolean;
}

/** @throws UsageError */
function parsed(args: string[]): Call {
  const options = { replace: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseOptions({ args, allowPositionals: true, options });
  const [command, file, ...more] = positionals;
  const isBackup = command === "backup";
  if (file === undefined || more.length > 0) throw new UsageError("One file has to be named.");
  if (!isBackup && command !== "restore") throw new UsageError("The command is backup or restore.");
  if (isBackup && values.replace) throw new UsageError("--replace goes with restore.");
  return { isBackup, file, replace: values.replace };
}
