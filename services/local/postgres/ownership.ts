import { lchownSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "./identity.ts";

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
