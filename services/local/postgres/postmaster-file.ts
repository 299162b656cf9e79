import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The text of a data directory's postmaster.pid, which has the server's pid and state; empty when there is none. */
export function readPostmasterFile(data: string): string {
  try {
    return readFileSync(join(data, "postmaster.pid"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
