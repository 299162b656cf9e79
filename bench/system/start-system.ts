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
  const system = launchSystem(root, ["--empty"], {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LOG_LEVEL: "warn",
    GATEWAY_PORT: `${gateway}`,
    ACCOUNT_PORT: `${account}`,
    SOCIAL_PORT: `${social}`,
    ...settings,
  });
  killAtExit(() => system.process.kill());
  return {
    url: await system.ready(),
    accountUrl: `http://127.0.0.1:${account}`,
    socialUrl: `http://127.0.0.1:${social}`,
    pid: system.pid,
    stop: async () => void (await system.end()),
  };
}
