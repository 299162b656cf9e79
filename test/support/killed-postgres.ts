import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const controls = "/usr/lib/postgresql/15/bin/pg_ctl";

/**
 * Ends a server of the lab's cluster by SIGKILL, all its processes at once: none of them says anything to its clients. When it is
 * started again it waits for no standby.
 * @param folder its data
 */
export function killPostgres(folder: string): void {
  const postmaster = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n", 1)[0]);
  // It starts no others meanwhile.
  process.kill(postmaster, "SIGSTOP");
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", `${postmaster}`], { encoding: "utf8" });
  for (const pid of [...children.split("\n").filter(Boolean).map(Number), postmaster]) end(pid);
  const settings = join(folder, "postgresql.auto.conf");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(/^synchronous_standby_names .*$/m, ""));
}

/** One that has ended by itself is no fault. */
function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Starts it again; false while what was killed is not quite gone. Resolves when it has recovered and takes connections. */
export async function startPostgres(folder: string): Promise<boolean> {
  const command = `su postgres -s /bin/bash -c '${controls} -D ${folder} -l ${folder}.log -w start'`;
  const [code] = await once(spawn("bash", ["-c", command], { stdio: "ignore" }), "exit");
  return code === 0;
}
