import { chmodSync, cpSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Binaries, binariesIn } from "./binaries.ts";
import { shortName } from "./short-name.ts";

/**
 * Copies the server's programs (60 MB, a tenth of a second) to a place under the temporary directory that every user may
 * read, for a server's user without access to node_modules. The same home gets the same place, so a crash leaves no
 * second copy.
 * @throws Error when another user made that place
 */
export function copyBinaries(binaries: Binaries, folder: string): Binaries {
  const root = join(tmpdir(), `${shortName(folder)}-server`);
  const there = lstatSync(root, { throwIfNoEntry: false });
  if (there && there.uid !== process.getuid?.()) throw new Error(`${root} belongs to another user (uid ${there.uid})`);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { mode: 0o700 });
  cpSync(binaries.root, root, { recursive: true, verbatimSymlinks: true });
  chmodSync(root, 0o755);
  return binariesIn(root);
}
