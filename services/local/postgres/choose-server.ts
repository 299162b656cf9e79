import { chmodSync, cpSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Binaries, binariesIn, findBinaries } from "./binaries.ts";
import { type Identity, identities } from "./identity.ts";
import { runAs } from "./run-as.ts";
import { shortName } from "./socket-directory.ts";

/** The server's programs, and an identity that can run them. */
export interface Server {
  binaries: Binaries;
  identity: Identity;
}

/**
 * Finds the first identity under which Postgres runs on this machine, on this folder. Each is tried by asking initdb for its
 * settings, which finds the server, looks up the user and creates nothing. The first usually works, and takes 15 ms.
 * @param without commands not to use even if they are installed
 * @throws Error that says why each identity failed
 */
export async function chooseServer(folder: string, without: readonly string[]): Promise<Server> {
  const installed = await findBinaries();
  const refusals: string[] = [];
  for (const identity of identities(folder)) {
    if (identity.prefix.some((word) => without.includes(word))) continue;
    const binaries = identity.fromCopy ? copyBinaries(installed, folder) : installed;
    const refusal = await runAs(identity, probe(identity, binaries, folder), folder);
    if (refusal === undefined) return { binaries, identity };
    refusals.push(`  ${identity.name}${identity.endsWithParent ? "" : ", with a watchdog"}: ${refusal}`);
  }
  const advice = "It needs glibc on Linux. Set DATABASE_URL to use a server of your own.";
  throw new Error(`The embedded Postgres cannot run here. ${advice}\n${refusals.join("\n")}`);
}

// An identity that may lack access to the path of the data gets it as its working directory; all others need access.
function probe(identity: Identity, binaries: Binaries, folder: string): [string, ...string[]] {
  const show = [binaries.initdb, "--show", "-D", folder] as const;
  return identity.outside ? [...show] : ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", folder, ...show];
}

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
