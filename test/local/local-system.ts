import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";

const root = join(import.meta.dirname, "../..");

/** One home with its ports, which `npm start` may be run on again and again. */
export interface LocalHome {
  url: string;
  /** Starts the system as `npm start` does and resolves when it says that it is ready. */
  start(...args: string[]): Promise<Launcher>;
  /** The same, but resolves at once: the system is still starting. */
  begin(...args: string[]): Launcher;
}

export interface Launcher {
  process: ChildProcess;
  /** All that it has printed. */
  output(): string;
  /** The process id of one of its parts. */
  pid(part: "gateway" | "account" | "social" | "postgres"): number;
  /** Sends a signal to the launcher and resolves when it has ended, with its exit code; null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const launched = new Set<ChildProcess>();

/** Kills what a failed test left running. */
export function killLaunched(): void {
  for (const child of launched) child.kill("SIGKILL");
}

/** A home in `home`, on free ports; `uid` runs everything as that user. */
export async function createLocalHome(home: string, uid?: number): Promise<LocalHome> {
  const [gateway, account, social] = [await freePort(), await freePort(), await freePort()];
  const env = {
    PATH: process.env.PATH,
    ROOST_HOME: home,
    GATEWAY_PORT: `${gateway}`,
    ACCOUNT_PORT: `${account}`,
    SOCIAL_PORT: `${social}`,
  };
  const begin = (...args: string[]): Launcher => {
    const child = spawn(process.execPath, [...process.execArgv, "services/local/main.ts", ...args], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    launched.add(child);
    child.once("exit", () => launched.delete(child));
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    return {
      process: child,
      output: () => output,
      pid: (part) => partPid(child.pid as number, part),
      end: (signal) => end(child, signal),
    };
  };
  return {
    url: `http://127.0.0.1:${gateway}`,
    begin,
    async start(...args) {
      const launcher = begin(...args);
      await new Promise<void>((resolve, reject) => {
        launcher.process.stdout?.on("data", () => /^ready http/m.test(launcher.output()) && resolve());
        launcher.process.once("exit", () => reject(new Error(`npm start ended:\n${launcher.output()}`)));
      });
      return launcher;
    },
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill(signal);
  });
}

function partPid(launcher: number, part: string): number {
  const word = {
    gateway: "gateway/main.ts",
    account: "account/main.ts",
    social: "social/main.ts",
    postgres: "bin/postgres",
  }[part];
  const found = processes().filter(({ parent, command }) => parent === launcher && command.includes(word as string));
  if (found.length !== 1) throw new Error(`${found.length} processes are ${part}`);
  return (found[0] as Process).pid;
}

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** Every process of this machine, from /proc. */
function processes(): Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      return [{ pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, "utf8") }];
    } catch {
      return [];
    }
  });
}

/** The processes that have to do with a home: started on it, or working in it. */
export function processesOn(home: string): string[] {
  return processes()
    .filter(
      ({ pid, command }) =>
        command.includes(home) ||
        environmentOf(pid).includes(`ROOST_HOME=${home}\0`) ||
        directoryOf(pid).startsWith(home),
    )
    .map(({ pid, command }) => `${pid} ${command.replaceAll("\0", " ").slice(0, 80)}`);
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

function directoryOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}
