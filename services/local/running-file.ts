import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What `running.json` says of the system that runs on a home. */
interface RunningFile {
  /** The launcher's process id. */
  pid: number;
  /** The gateway's address; undefined while it starts. */
  url?: string;
}

/**
 * Claims a home for this process in its file `running.json`, so that a second start can name the first.
 * @throws Error naming the system that runs on the home
 */
export function claimHome(home: string): { ready(url: string): void; release(): void } {
  const file = join(home, "running.json");
  const other = readRunning(file);
  if (other !== undefined && other.pid !== process.pid && isLauncher(other.pid)) {
    const place = other.url === undefined ? "is just starting" : `already runs at ${other.url}`;
    throw new Error(`Roost ${place} (pid ${other.pid}; stop it with: kill ${other.pid}). Its home is ${home}.`);
  }
  const write = (content: RunningFile) => writeFileSync(file, JSON.stringify(content));
  write({ pid: process.pid });
  return {
    ready: (url) => write({ pid: process.pid, url }),
    release() {
      // Of two starts at the same moment, the file belongs to the one that wrote it last.
      if (readRunning(file)?.pid === process.pid) rmSync(file, { force: true });
    },
  };
}

function readRunning(file: string): RunningFile | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as RunningFile;
  } catch {
    return undefined;
  }
}

/** Whether a process is a launcher like this one: after a crash its pid may be another program's. */
function isLauncher(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("services/local/main.ts");
  } catch (error) {
    // Without /proc any living process with this pid counts.
    return (error as NodeJS.ErrnoException).code === "ENOENT" && process.platform !== "linux";
  }
}
