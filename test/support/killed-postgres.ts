import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const controls = "/usr/lib/postgresql/15/bin/pg_ctl";

/**
 * Kills all processes of a server of the cluster at once by SIGKILL, so that its clients get no reply. It is restarted without a
 * synchronous standby.
 * @param folder its data
 */
export function killPostgres(folder: string): void {
  const postmaster = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n", 1)[0]);
  // So that it starts no others meanwhile.
  process.kill(postmaster, "SIGSTOP");
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", `${postmaster}`], { encoding: "utf8" });
  for (const pid of [...children.split("\n").filter(Boolean).map(Number), postmaster]) end(pid);
  const settings = join(folder, "postgresql.auto.conf");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(/^synchronous_standby_names .*$/m, ""));
}

/** Kills a process, which may have ended already. */
function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Starts it again; false while killed processes still exist. Resolves when it has recovered and accepts connections. */
export async function restartPostgres(folder: string): Promise<boolean> {
  const command = `su postgres -s /bin/bash -c '${controls} -D ${folder} -l ${folder}.log -w start'`;
  const [code] = await once(spawn("bash", ["-c", command], { stdio: "ignore" }), "exit");
  return code === 0;
}
