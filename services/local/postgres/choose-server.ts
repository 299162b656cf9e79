import { type Binaries, findBinaries } from "./binaries.ts";
import { type Identity, identities } from "./identity.ts";
import { copyBinaries } from "./private-copy.ts";
import { runAs } from "./run-as.ts";

/** Programs, and a way to run them that works. */
export interface Server {
  binaries: Binaries;
  identity: Identity;
}

/**
 * Finds the first way of running Postgres that works on this machine for this folder, by asking initdb for its settings
 * in each: that finds the server, looks the user up and creates nothing. The first way usually works, and takes 15 ms.
 * @param without commands to leave alone even if they are installed
 * @throws Error that says what was wrong with each way
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

// A server that gets the data as its working directory need not be able to walk to it; any other must.
function probe(identity: Identity, binaries: Binaries, folder: string): [string, ...string[]] {
  const show = [binaries.initdb, "--show", "-D", folder] as const;
  return identity.outside ? [...show] : ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", folder, ...show];
}
