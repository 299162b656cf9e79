import { execFileSync } from "node:child_process";
import { cpus } from "node:os";

/** The machine, the versions and the load generator of a run, in one line. */
export function describeRun(driver: string): string {
  const date = new Date().toISOString().slice(0, 10);
  const redis = /v=(\S+)/.exec(versionOf("redis-server"))?.[1];
  const parts = [
    `${date}: ${cpus().length} × ${cpus()[0]?.model}`,
    `Node ${process.version}`,
    "Postgres 17 (embedded, durable)",
    redis === undefined ? "" : `Redis ${redis}`,
    driver,
    `commit ${commit()}`,
  ];
  return parts.filter(Boolean).join(", ");
}

function versionOf(program: string): string {
  try {
    return execFileSync(program, ["--version"], { encoding: "utf8" });
  } catch {
    return "";
  }
}

function commit(): string {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}
