import type { ChildProcess } from "node:child_process";
import { closeSync, fchownSync, fstatSync, ftruncateSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Exit, exitOf, watch } from "../child-process.ts";
import type { Server } from "./choose-server.ts";
import { claimData } from "./claim-data.ts";
import { launchMark, readPostmasterFile } from "./postmaster.ts";
import { ownPath, spawnAs } from "./run-as.ts";

export interface Launched {
  child: ChildProcess;
  pid: number;
  exited: Promise<Exit>;
}

interface Launch {
  server: Server;
  data: string;
  /** A short path to `data`. */
  socketDirectory: string;
  durable: boolean;
  /** The log of this run; emptied first. */
  logFile: string;
  log: (line: string) => void;
}

/** Milliseconds for which a start is repeated while processes of a killed server still hold its shared memory. */
const retryMs = 10_000;
const leftovers =
  /lock file "[^"]+" (already exists|is empty)|pre-existing shared memory block|could not bind Unix address/;

/**
 * Starts the server and resolves once it accepts connections.
 * @throws Error with the last lines of the log when it ends before that
 */
export async function launch(plan: Launch): Promise<Launched> {
  const deadline = Date.now() + retryMs;
  const output = openSync(plan.logFile, "a", 0o600);
  try {
    ftruncateSync(output);
    shareWithOwner(output, dirname(plan.data));
    for (;;) {
      const start = fstatSync(output).size;
      const before = readPostmasterFile(plan.data);
      const launched = spawnServer(plan, output);
      const exit = await untilReady(launched, () => isReady(plan.data, launched.pid, before));
      if (!exit) return launched;
      const said = readFileSync(plan.logFile).subarray(start).toString();
      // Another process that started at the same moment may have taken the data.
      await claimData(plan.data, plan.socketDirectory, plan.log);
      if (!leftovers.test(said) || Date.now() > deadline) throw didNotStart(exit, said);
      await sleep(100);
    }
  } finally {
    closeSync(output);
  }
}

// Root may have started on the home of an ordinary user, who has to be able to write the log later.
function shareWithOwner(file: number, folder: string): void {
  const { uid, gid } = statSync(folder);
  if (fstatSync(file).uid !== uid) fchownSync(file, uid, gid);
}

function spawnServer({ server, data, durable }: Launch, output: number): Launched {
  const { identity, binaries } = server;
  const args = serverArguments(ownPath(identity, data), launchMark(data), durable);
  // The server writes to the file itself, so that the log is complete when this process has ended.
  const child = spawnAs(identity, [binaries.postgres, ...args], data, ["ignore", output, output]);
  const watchdog = identity.endsWithParent || !child.pid ? undefined : watch(child.pid);
  const exited = exitOf(child);
  void exited.then(() => watchdog?.stop());
  return { child, pid: child.pid ?? 0, exited };
}

/** Resolves to undefined when the server is ready, or to how it ended before that. */
async function untilReady({ exited }: Launched, isReady: () => boolean): Promise<Exit | undefined> {
  for (;;) {
    const exit = await Promise.race([exited, sleep(10)]);
    if (exit || isReady()) return exit || undefined;
  }
}

// Read from postmaster.pid, since another start may empty the log. The file of a crashed server may name the same pid and say
// "ready", but not the same second.
function isReady(data: string, pid: number, before: string): boolean {
  const now = readPostmasterFile(data);
  const [first, , , , , , , status] = now.split("\n");
  return now !== before && first === String(pid) && status?.trim() === "ready";
}

function didNotStart(exit: Exit, said: string): Error {
  const lines = said.trimEnd().split("\n").slice(-10).join("\n");
  return new Error(`Postgres did not start (${exit.signal ?? `exit code ${exit.code}`}):\n${lines}`);
}

/** The server's settings. On the command line, so that a home stores none and an upgrade of ours changes them. */
function serverArguments(dataPath: string, launchMark: string, durable: boolean): string[] {
  return ["-D", dataPath, ...[...settings, ...(durable ? [] : fast), launchMark].flatMap((setting) => ["-c", setting])];
}

const settings = [
  // No network; the socket lies in the data directory, which only the server's user may enter.
  "listen_addresses=",
  "port=5432",
  "unix_socket_directories=.",
  "unix_socket_permissions=0700",
  "max_connections=100",
  "shared_buffers=64MB",
  "max_wal_size=256MB",
  "timezone=UTC",
  // Compiling a query takes longer than running any of ours.
  "jit=off",
  "log_timezone=UTC",
  "log_destination=stderr",
  "logging_collector=off",
  // Failed statements stay out: the client gets their errors, they quote people's data, and the file would grow.
  "log_min_messages=log",
  "log_checkpoints=off",
];

// For tests, of which several share the server. The last setting of a name counts.
const fast = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=300",
  // No test has replicas of such a server.
  "wal_level=minimal",
  "max_wal_senders=0",
  // It would start a process for each database every minute.
  "autovacuum=off",
];
