import type { Writable } from "node:stream";
import { nearestWord, parseOptions, UsageError } from "../services/platform/parse-options.ts";
import { type AccountOptions, accountTask } from "./account/command.ts";
import { runArchiveImport, runUndo } from "./as-user/command.ts";
import { parseJobName } from "./as-user/job.ts";
import { runExport } from "./export/command.ts";
import { type Command, help, overview } from "./help.ts";
import { runImport } from "./import/command.ts";
import type { Terminal } from "./reporter.ts";
import { runVerify } from "./verify.ts";

/**
 * Runs the tool with these arguments; returns the exit code.
 * @param input the input for a password or a confirmation
 */
export async function run(
  args: string[],
  out: Writable,
  err: Terminal,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<number> {
  const name = args.find((arg) => !arg.startsWith("-"));
  const command = name !== undefined && Object.hasOwn(help, name) ? (name as Command) : undefined;
  let task: Task;
  try {
    const { values, positionals } = parseOptions({ args, allowPositionals: true, options: optionsFor(command) });
    if (values.help) {
      out.write(command ? help[command] : overview);
      return 0;
    }
    if (command === undefined) throw new UsageError(name === undefined ? "" : noCommand(name));
    task = taskOf(command, values, positionals.slice(1));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const [usage] = command === undefined ? [overview] : help[command].split("\n\n");
    const more = command === undefined ? "" : `\n\nMore, with examples: npm run ${command} -- --help\n`;
    err.write(`${error.message === "" ? "" : `${error.message}\n\n`}${usage}${more}`);
    return 2;
  }
  return task(out, err, input);
}

function noCommand(name: string): string {
  const meant = nearestWord(name, Object.keys(help));
  return `There is no command ${name}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
}

const options = {
  as: { type: "string" },
  undo: { type: "string" },
  "dry-run": { type: "boolean" },
  stdin: { type: "boolean" },
  yes: { type: "boolean" },
  end: { type: "boolean" },
  repair: { type: "boolean" },
  uses: { type: "string" },
  days: { type: "string" },
  email: { type: "string" },
  search: { type: "string" },
  take: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

interface Options extends AccountOptions {
  as?: string;
  undo?: string;
  "dry-run"?: boolean;
  repair?: boolean;
}

type Task = (out: Writable, err: Terminal, input: NodeJS.ReadableStream) => Promise<number>;

/** @throws UsageError */
function taskOf(command: Command, values: Options, rest: string[]): Task {
  if (command === "account") return accountTask(rest, values);
  const unknown = Object.keys(values).find((name) => !optionsOf[command].includes(name));
  if (unknown !== undefined) throw new UsageError(`${command} has no option --${unknown}.`);
  if (command === "import") return importTask(values, rest);
  if (command === "verify") {
    if (rest.length > 0) throw new UsageError("verify takes no arguments.");
    return (out, err) => runVerify(values.repair ?? false, out, err);
  }
  const [user, file, ...more] = rest;
  if (user === undefined) throw new UsageError("The name of a user is missing.");
  if (more.length > 0) throw new UsageError("export takes one user and one file.");
  return (out, err) => runExport(user, file, out, err);
}

const optionsOf = { import: ["as", "undo", "dry-run"], verify: ["repair"], export: [] as string[] };

/** All options, since a message says which command lacks one; its own first, since a misspelled one is probably meant to be one of them. */
function optionsFor(command: Command | undefined): typeof options {
  const own = command === undefined || command === "account" ? [] : optionsOf[command];
  const first = Object.entries(options).toSorted(([a], [b]) => Number(own.includes(b)) - Number(own.includes(a)));
  return Object.fromEntries(first) as typeof options;
}

function importTask({ as, undo, "dry-run": dryRun = false }: Options, files: string[]): Task {
  if (undo !== undefined) {
    if (as !== undefined || files.length > 0) throw new UsageError("--undo takes a job, and no files.");
    const job = parseJobName(undo);
    if (job === undefined) throw new UsageError(`${undo} is not a job: an import names its job when it begins.`);
    return (out, err) => runUndo(job, dryRun, out, err);
  }
  if (files.length === 0) throw new UsageError("The file's name is missing.");
  if (as !== undefined) return (out, err) => runArchiveImport(files, { as, dryRun }, out, err);
  if (dryRun) throw new UsageError("--dry-run goes with --as or --undo.");
  return (out, err) => runImport(files, out, err);
}
