import { statSync } from "node:fs";
import { readPostmasterFile } from "./postmaster-file.ts";
import { findProcess } from "./process-table.ts";

/** The process that a data directory's postmaster.pid names. */
export interface Postmaster {
  pid: number;
  /**
   * - owned: a server on this directory whose launcher lives, or one that was not launched by us at all
   * - orphan: a server on this directory whose launcher is gone
   * - stranger: a process that has nothing to do with the directory and got the number of one that had
   */
  standing: "owned" | "orphan" | "stranger";
  /** Who to name as its user: the launcher, or the server itself. */
  owner: number;
}

/**
 * Finds the living process that postmaster.pid names, and tells what it is by its own arguments and its parent, not by
 * what a file says of it: numbers are used again, above all in containers.
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
