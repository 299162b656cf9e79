import { lstatSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Makes the symbolic links that `pg-symlinks.json` of a binary package asks for, unless they are there. Npm packages
 * cannot hold links: the package makes them in an install script, which npm 11 does not run unasked.
 * @throws Error when one is missing and cannot be made
 */
export function linkLibraries(root: string): void {
  const links = JSON.parse(readFileSync(join(root, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(root, "..", target);
    // Looks first: a read-only directory may refuse even a link that exists.
    if (!lstatSync(link, { throwIfNoEntry: false })) linkOnce(basename(source), link);
  }
}

function linkOnce(source: string, link: string): void {
  try {
    symlinkSync(source, link);
  } catch (error) {
    // Another start was faster.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    const advice = "Start once as the owner of node_modules, which makes it.";
    throw new Error(`A library of the embedded Postgres cannot be linked. ${advice}`, { cause: error });
  }
}
