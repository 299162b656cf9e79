import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { lchownSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Account, Identity } from "./identity.ts";

/**
 * Starts a command under an identity, inside a directory. The child has a session of its own, so that ^C in a terminal
 * reaches only this process, which stops the server last; and an environment of its own, since the user's PGDATA, PGPORT, LANG
 * or LD_LIBRARY_PATH would change what it does.
 */
export function spawnAs(
  identity: Identity,
  command: readonly [string, ...string[]],
  directory: string,
  stdio: StdioOptions,
): ChildProcess {
  const [program, ...args] = [...identity.prefix, ...command] as [string, ...string[]];
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", LC_ALL: "C" };
  return spawn(program, args, { ...identity.spawnAs, cwd: directory, stdio, env, detached: true });
}

/**
 * Runs a command under an identity to its end.
 * @returns undefined when it succeeded, else its output
 */
export function runAs(
  identity: Identity,
  command: readonly [string, ...string[]],
  directory: string,
): Promise<string | undefined> {
  return new Promise<string | undefined>((resolve, reject) => {
    const child = spawnAs(identity, command, directory, ["ignore", "ignore", "pipe"]);
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve(code === 0 ? undefined : said.trim() || `ended with ${signal ?? code}`),
    );
    // Spawn reports some failures as an event, and others, such as a refused change of user, by throwing.
  }).catch((error: Error) => error.message);
}

/**
 * The path of `directory` for a program that runs in it. One whose user lacks access to that path still has it as its working
 * directory, for which Linux has a path of its own.
 */
export function ownPath(identity: Identity, directory: string): string {
  return identity.outside && process.platform === "linux" ? "/proc/self/cwd" : directory;
}

/**
 * Gives a data directory to the account that runs the server, if an earlier start ran it as another. The directory
 * itself comes last, so that an interrupted change is repeated.
 */
export function giveTree(directory: string, account: Account): void {
  if (lstatSync(directory).uid === account.uid) return;
  for (const entry of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(directory, entry), account.uid, account.gid);
  }
  lchownSync(directory, account.uid, account.gid);
}
