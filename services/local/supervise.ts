import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { copyFile, stat, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exitOf } from "./child-process.ts";

export interface ProcessPlan {
  /** Its name in messages and of its log file. */
  name: string;
  /** The file to run, from the project's root. */
  main: string;
  environment: NodeJS.ProcessEnv;
  /** The folder for the log; the log of the run before, or what came before it was trimmed, is NAME.log.old. */
  logs: string;
  say: (line: string) => void;
  /** Aborted to abandon the first start: the process is ended as by `stop`. */
  signal?: AbortSignal;
}

export interface Supervised {
  /** Its address. */
  url: string;
  /** The process id of the present run. */
  pid(): number | undefined;
  /** Asks it to end, and resolves when it has; after 10 s it is killed. */
  stop(): Promise<void>;
}

/**
 * Runs one of our processes and starts it again whenever it ends by itself. Resolves when it answers.
 * @throws Error with the end of its log when the first start fails
 */
export async function supervise(plan: ProcessPlan): Promise<Supervised> {
  const logFile = join(plan.logs, `${plan.name}.log`);
  keepOldLog(logFile);
  let stopping = false;
  let child = run(plan, logFile);
  const abandon = () => void end(child);
  plan.signal?.addEventListener("abort", abandon);
  const url = await ready(child, plan, logFile).finally(() => plan.signal?.removeEventListener("abort", abandon));
  watch();
  const trimming = setInterval(() => {
    trimLog(logFile).catch((error: Error) => plan.say(`${logFile} cannot be trimmed: ${error.message}`));
  }, 60_000).unref();

  function watch(delay = restartDelay): void {
    let wait = delay;
    // It is ready, so the next restart waits for the shortest time again.
    child.once("message", () => {
      wait = restartDelay;
    });
    void exitOf(child).then(({ code, signal }) => {
      if (stopping) return;
      plan.say(`${plan.name} ended (${signal ?? code}) and is started again; see ${logFile}`);
      setTimeout(() => {
        if (stopping) return;
        child = run(plan, logFile);
        watch(Math.min(wait * 2, maxRestartDelay));
      }, wait);
    });
  }

  return {
    url,
    pid: () => (child.exitCode === null && child.signalCode === null ? child.pid : undefined),
    stop() {
      stopping = true;
      clearInterval(trimming);
      return end(child);
    },
  };
}

/** Milliseconds before a process is started again; doubled after each start that fails. */
const restartDelay = 300;
const maxRestartDelay = 5_000;

const root = join(import.meta.dirname, "../..");

function keepOldLog(logFile: string): void {
  mkdirSync(dirname(logFile), { recursive: true });
  try {
    renameSync(logFile, `${logFile}.old`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function run(plan: ProcessPlan, logFile: string): ChildProcess {
  const output = openSync(logFile, "a", 0o600);
  // Over the IPC channel the process says that it is ready, and notices when this process ends. It runs with our own options,
  // since its sources may need the same loader.
  const child = spawn(process.execPath, [...process.execArgv, plan.main], {
    cwd: root,
    env: plan.environment,
    stdio: ["ignore", output, output, "ipc"],
    // A process group of its own, so that Ctrl-C reaches this process alone, which stops the others in order.
    detached: true,
  });
  closeSync(output);
  return child;
}

function ready(child: ChildProcess, plan: ProcessPlan, logFile: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve((message as { ready: string }).ready));
    void exitOf(child).then(({ code, signal }) =>
      reject(new Error(`${plan.name} did not start (${signal ?? `exit code ${code}`}): ${logTail(logFile)}`)),
    );
  });
}

/** The message of the log's last line; the last 8 lines when that is not a log line of ours. */
function logTail(logFile: string): string {
  const lines = readFileSync(logFile, "utf8").trimEnd().split("\n");
  try {
    const { msg, err } = JSON.parse(lines.at(-1) ?? "") as { msg: string; err?: { message: string } };
    return err?.message ?? msg;
  } catch {
    return `\n${lines.slice(-8).join("\n")}`;
  }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await exitOf(child);
  clearTimeout(timer);
}

/**
 * Empties a log that is longer than `maxBytes`, and keeps what it had as NAME.log.old. Its process has it open for appending, and
 * continues at its new end; lines written between the copy and the end of this are lost.
 */
export async function trimLog(logFile: string, maxBytes = 50_000_000): Promise<void> {
  if ((await stat(logFile)).size <= maxBytes) return;
  await copyFile(logFile, `${logFile}.old`);
  await truncate(logFile, 0);
}
