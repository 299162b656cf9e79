import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../services/local/free-port.ts";
import { killAtExit } from "./kill-at-exit.ts";
import { launchSystem } from "./launch-system.ts";

/** A running system, started as by `npm start`. */
export interface BenchSystem {
  /** The gateway's address. */
  url: string;
  accountUrl: string;
  socialUrl: string;
  /** The id of the process that runs this file, such as "gateway/main.ts"; undefined without /proc. */
  pid(main: string): number | undefined;
  stop(): Promise<void>;
}

/**
 * Runs `npm start -- --empty` of the checkout at `root`, on free ports, and resolves when it answers. `settings` is its
 * environment; of the bench's own only what a shell needs is passed on.
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
  const system = launchSystem(root, ["--empty"], environment, {}, nodeOptionsOf(root));
  killAtExit(() => system.process.kill());
  return {
    url: await system.ready(),
    accountUrl: `http://127.0.0.1:${account}`,
    socialUrl: `http://127.0.0.1:${social}`,
    pid: system.pid,
    stop: async () => void (await system.end()),
  };
}

const ownRoot = join(import.meta.dirname, "../..");

/** How `npm start` of a checkout has Node run it; this one is compiled already, or runs like this process. */
function nodeOptionsOf(root: string): readonly string[] {
  if (root === ownRoot) return process.execArgv;
  const compiler = join(root, "compile/main.ts");
  if (!existsSync(compiler)) return ["--import", "tsx"];
  const options = execFileSync(process.execPath, ["--import", "tsx", compiler], { cwd: root, encoding: "utf8" });
  return options.trim().split(" ");
}
