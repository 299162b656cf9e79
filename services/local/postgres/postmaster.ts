import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findProcess } from "./process-table.ts";

/** The process that a data directory's postmaster.pid names. */
export interface Postmaster {
  pid: number;
  /**
   * - owned: a server on this directory whose launcher lives, or one that was not launched by us at all
   * - orphan: a server on this directory whose launcher is gone
   * - stranger: an unrelated process, which got the pid of an ended server
   */
  standing: "owned" | "orphan" | "stranger";
  /** The pid to name in messages: the launcher's, or the server's own. */
  owner: number;
}

/**
 * Finds the living process that postmaster.pid names, and tells what it is by its own arguments and its parent, not by
 * a file: pids are used again, especially in containers.
 */
export function findPostmaster(data: string): Postmaster | undefined {
  const pid = Number.parseInt(readPostmasterFile(data), 10);
  const entry = pid > 0 ? findProcess(pid) : undefined;
  if (!entry) return undefined;
  const [, launcher, inode] = /\broost\.launch=(\d+):(\d+) /.exec(entry.command) ?? [];
  if (launcher && inode === inodeOf(data)) {
    const owned = entry.parent === Number(launcher);
    return { pid, standing: owned ? "owned" : "orphan", owner: owned ? Number(launcher) : pid };
  }
  const otherwiseStarted = !launcher && /^\S*\bpostgres /.test(entry.command);
  return { pid, standing: otherwiseStarted ? "owned" : "stranger", owner: pid };
}

/** The setting that marks a server as started by this process on this directory. The inode stays when a home is moved. */
export function launchMark(data: string): string {
  return `roost.launch=${process.pid}:${inodeOf(data)}`;
}

function inodeOf(path: string): string {
  return String(statSync(path).ino);
}

/** The text of a data directory's postmaster.pid, which has the server's pid and state; empty when there is none. */
export function readPostmasterFile(data: string): string {
  try {
    return readFileSync(join(data, "postmaster.pid"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
