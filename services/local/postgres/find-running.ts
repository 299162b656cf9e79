import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { findPostmaster } from "./postmaster.ts";
import { openSocketDirectory, socketUrl } from "./socket-directory.ts";

/** The server that another process runs on a home, such as `npm start`; undefined when none runs. */
export function findRunningPostgres(home: string): { url(role: string, database: string): string } | undefined {
  if (!existsSync(join(home, "postgres", "data"))) return undefined;
  const data = join(realpathSync(join(home, "postgres")), "data");
  if (findPostmaster(data)?.standing !== "owned") return undefined;
  // The link, where one is needed, is that of the running server, which removes it.
  const { path } = openSocketDirectory(data);
  return { url: (role, database) => socketUrl(path, role, database) };
}
