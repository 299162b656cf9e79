import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { endWithUs } from "./end-with-us.ts";
import { freePort } from "./free-port.ts";

/** A running system, started as `npm start` starts it. */
export interface BenchSystem {
  /** The gateway's address. */
  url: string;
  accountUrl: string;
  socialUrl: string;
  /** The id of the process that runs this file, such as "gateway/main.ts"; undefined where /proc does not tell. */
  pid(main: string): number | undefined;
  stop(): Promise<void>;
}

/**
 * Runs `npm start -- --empty` of the checkout at `root`, on free ports, and resolves when it answers. `settings` are the
 * environment that counts; of the bench's own only what a shell needs is passed on.
 */
export async function startBenchSystem(root: string, settings: NodeJS.ProcessEnv): Promise<BenchSystem> {
  const [gateway, account, social] = await Promise.all([freePort(), freePort(), freePort()]);
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LOG_LEVEL: "warn",
    GATEWAY_PORT: `${gateway}`,
    ACCOUNT_PORT: `${account}`,
    SOCIAL_PORT: `${social}`,
    ...settings,
  };
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), "services/local/main.ts", "--empty"], {
    cwd: root,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithUs(child);
  const url = await ready(child);
  return {
    url,
    accountUrl: `http://127.0.0.1:${account}`,
    socialUrl: `http://127.0.0.1:${social}`,
    pid: (main) => (child.pid === undefined ? undefined : childOf(child.pid, main)),
    stop: () => end(child),
  };
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (line: string) => {
      said += `${line}\n`;
      const url = /^ready (\S+)$/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    };
    for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on("line", hear);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The system did not start (${code}):\n${said}`)));
  });
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

function childOf(parent: number, main: string): number | undefined {
  try {
    const threads = readdirSync(`/proc/${parent}/task`);
    const children = threads.flatMap((thread) => words(join(`/proc/${parent}/task`, thread, "children"), " "));
    return children.map(Number).find((pid) => words(`/proc/${pid}/cmdline`, "\0").includes(main));
  } catch {
    return undefined;
  }
}

function words(file: string, separator: string): string[] {
  return readFileSync(file, "utf8").split(separator).filter(Boolean);
}
