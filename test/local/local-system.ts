import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
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

/** Why an attempt is refused. */
export function reasonOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => assert.unreachable("it should have been refused") as never,
    (error: Error) => error.message,
  );
}

/** The processes of a home: those with its path in the command, the environment or the working directory. */
export function processesOn(home: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      const [command, environment, directory] = [
        textOf(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")),
        textOf(() => readFileSync(`/proc/${pid}/environ`, "utf8")),
        textOf(() => readlinkSync(`/proc/${pid}/cwd`)),
      ];
      const isOn = command.includes(home) || environment.includes(`ROOST_HOME=${home}\0`) || directory.startsWith(home);
      return isOn ? `${pid} ${command.replaceAll("\0", " ").slice(0, 80)}` : "";
    })
    .filter((line) => line !== "");
}

/** Empty where the process has ended, or is another user's. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
