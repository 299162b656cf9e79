import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Checks a commit out beside this checkout, until `remove`. It uses the packages that are installed here: both sides run with the
 * same ones, and nothing is downloaded.
 */
export function checkOut(reference: string): { root: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "roost-base-"));
  const root = join(folder, "roost");
  git("worktree", "add", "--detach", root, reference);
  symlinkSync(join(here, "node_modules"), join(root, "node_modules"));
  return {
    root,
    remove() {
      git("worktree", "remove", "--force", root);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const here = join(import.meta.dirname, "../..");

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: here, stdio: ["ignore", "ignore", "inherit"] });
}
