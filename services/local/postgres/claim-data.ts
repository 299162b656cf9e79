import { lstatSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findPostmaster } from "./postmaster.ts";

/** Milliseconds in which an orphan has to end. */
const orphanTimeoutMs = 10_000;
/** Milliseconds after which an orphan is told to end at once (SIGQUIT). */
const fastShutdownMs = 5_000;
/** Milliseconds in which a lock file has to be written. */
const writtenMs = 1_000;
/** Milliseconds within which the children of a killed server end. */
const childExitMs = 2_000;

/**
 * Resolves once no living server uses a data directory. An orphan, which normally is shutting
 * down already, is told to, and waited for. Stale lock files, which would prevent a start, are deleted.
 * @param socketDirectory a short path to `data`
 * @throws Error when the directory is in use, or an orphan does not end within 10 s
 */
export async function claimData(data: string, socketDirectory: string, log: (line: string) => void): Promise<void> {
  const began = Date.now();
  const sent = new Set<NodeJS.Signals>();
  for (;;) {
    const found = findPostmaster(data);
    if (found?.standing === "owned") throw new Error(`${data} is in use by process ${found.owner}`);
    if (found?.standing !== "orphan") break;
    const waited = Date.now() - began;
    if (waited > orphanTimeoutMs)
      throw new Error(`${data} is in use by process ${found.pid}, an orphan that does not end`);
    if (!sent.size) log(`waiting for process ${found.pid}, left behind by an earlier start, to end`);
    signalOnce(found.pid, waited > fastShutdownMs ? "SIGQUIT" : "SIGINT", sent);
    await sleep(25);
  }
  // Containers that share a home do not see each other's processes, and Postgres does not check more than those.
  if (await keepsAnswering(join(socketDirectory, ".s.PGSQL.5432"))) {
    throw new Error(`${data} is in use by a server that cannot be seen from here; is it in another container?`);
  }
  removeDeadLocks(data);
}

function signalOnce(pid: number, signal: NodeJS.Signals, sent: Set<NodeJS.Signals>): void {
  if (sent.has(signal)) return;
  sent.add(signal);
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended, or is not ours to end; the wait tells which.
  }
}

// A child of a killed server may hold its listening socket for a moment, before it notices.
async function keepsAnswering(path: string): Promise<boolean> {
  for (const until = Date.now() + childExitMs; await answers(path); await sleep(25)) {
    if (Date.now() > until) return true;
  }
  return false;
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

// Postgres never starts with a lock file that names an unrelated process, or that a crash of the machine left empty. It handles
// all other leftovers itself. The file of a starting server is empty as well, for less than a millisecond.
function removeDeadLocks(data: string): void {
  const stranger = findPostmaster(data)?.standing === "stranger";
  for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"]) {
    const file = lstatSync(join(data, name), { throwIfNoEntry: false });
    const abandoned = file?.size === 0 && Date.now() - file.mtimeMs > writtenMs;
    if (stranger || abandoned) rmSync(join(data, name), { force: true });
  }
}
