import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memoryDisk = "/dev/shm";
/** Bytes that have to be free there: a test run takes less than a quarter of them. */
const minFree = 4 * 2 ** 30;
/** Milliseconds after which a folder whose process has ended is no run's any more. */
const maxAge = 3_600_000;

/**
 * Makes a folder for a server's data: on the memory disk where there is a large one, else in the temporary directory. Each test
 * database has 440 files, and ext4 takes long to make files after others were deleted: a fifth of Postgres's processor time.
 * Removes what runs that were killed have left on the memory disk.
 * @param prefix of its name, such as `roost-tests-`
 */
export function makeDataFolder(prefix: string): string {
  if (!hasRoom()) return mkdtempSync(join(tmpdir(), prefix));
  removeAbandoned();
  return mkdtempSync(join(memoryDisk, `${prefix}${process.pid}-`));
}

function hasRoom(): boolean {
  if (!existsSync(memoryDisk)) return false;
  const { bavail, bsize } = statfsSync(memoryDisk);
  return bavail * bsize >= minFree;
}

function removeAbandoned(): void {
  for (const name of readdirSync(memoryDisk)) {
    const [, pid] = /^roost-.*-(\d+)-\w+$/.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    const folder = join(memoryDisk, name);
    try {
      if (Date.now() - statSync(folder).mtimeMs > maxAge) rmSync(folder, { recursive: true });
    } catch {
      // Another user's, or another run has removed it.
    }
  }
}
