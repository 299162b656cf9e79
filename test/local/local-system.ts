import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type LaunchedSystem, launchSystem } from "../../bench/system/launch-system.ts";
import { freePort } from "../support/listen.ts";

const root = join(import.meta.dirname, "../..");

/** A home with its ports, on which `npm start` can be run repeatedly. */
export interface LocalHome {
  url: string;
  /** Starts the system as `npm start` does and resolves when it is ready. */
  start(...args: string[]): Promise<LaunchedSystem>;
  /** The same without waiting until the system is ready. */
  begin(...args: string[]): LaunchedSystem;
}

const launched = new Set<LaunchedSystem>();

/** Kills the systems that a failed test has not stopped. */
export function killLaunched(): void {
  for (const system of launched) system.process.kill("SIGKILL");
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
  const begin = (...args: string[]): LaunchedSystem => {
    const system = launchSystem(root, args, env, uid === undefined ? {} : { uid, gid: uid });
    launched.add(system);
    system.process.once("exit", () => launched.delete(system));
    return system;
  };
  return {
    url: `http://127.0.0.1:${gateway}`,
    begin,
    async start(...args) {
      const system = begin(...args);
      await system.ready();
      return system;
    },
  };
}

interface Process {
  pid: number;
  command: string;
}

/** Every process of this machine, from /proc. */
function processes(): Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, "utf8") }];
    } catch {
      return [];
    }
  });
}

/** The processes of a home: those with its path in the command, the environment or the working directory. */
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
