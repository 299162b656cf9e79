import { closeSync, existsSync, fsyncSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "./choose-server.ts";
import { findProcess } from "./process-table.ts";
import { giveTree, ownPath, runAs } from "./run-as.ts";

/**
 * Makes `data/` in a folder, unless it is there: an empty database in UTF-8, sorted by code point, with the superuser
 * `postgres` and no passwords. It is made under another name and renamed when complete, so that an interrupted start
 * leaves nothing that looks like a database.
 */
export async function initDatabase(
  server: Server,
  folder: string,
  durable: boolean,
  log: (line: string) => void,
): Promise<void> {
  const data = join(folder, "data");
  if (existsSync(data)) return;
  log(`making a database in ${data}`);
  removeUnfinished(folder);
  const unfinished = mkdtempSync(join(folder, `data.${process.pid}.`));
  giveTree(unfinished, server.identity.account);
  const refusal = await runAs(server.identity, initdb(server, unfinished, durable), unfinished);
  if (refusal === undefined) moveInto(unfinished, data);
  rmSync(unfinished, { recursive: true, force: true });
  if (refusal !== undefined) throw new Error(`The database could not be made: ${refusal}`);
  if (durable) syncDirectory(folder);
}

function initdb({ binaries, identity }: Server, directory: string, durable: boolean): [string, ...string[]] {
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = ["--username=postgres", "--auth=trust"];
  const speed = durable ? [] : ["--no-sync"];
  return [binaries.initdb, "-D", ownPath(identity, directory), ...locale, ...access, "--no-instructions", ...speed];
}

function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const maker = /^data\.(\d+)\./.exec(name)?.[1];
    if (!maker || findProcess(Number(maker))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // An initdb whose launcher was killed still writes there; the next start deletes it.
    }
  }
}

function moveInto(unfinished: string, data: string): void {
  try {
    renameSync(unfinished, data);
  } catch (error) {
    // Another start was faster, and its database may be in use.
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  fsyncSync(directory);
  closeSync(directory);
}
