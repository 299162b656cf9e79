import { chmodSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Makes `postgres/` inside a home and gives its real path. Its mode 0700 is what keeps other users from the socket and
 * the data, whatever the mode of the home.
 * @throws Error when it belongs to another user and this process is not root
 */
export function openFolder(home: string): string {
  mkdirSync(join(home, "postgres"), { recursive: true, mode: 0o700 });
  const folder = realpathSync(join(home, "postgres"));
  const { uid } = statSync(folder);
  const we = process.getuid?.();
  if (we !== 0 && we !== uid) throw new Error(`${folder} belongs to another user (uid ${uid})`);
  chmodSync(folder, 0o700);
  return folder;
}
