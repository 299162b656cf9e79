import { freePort } from "../../services/local/free-port.ts";
import { endWithUs } from "./end-with-us.ts";
import { launchSystem } from "./launch-system.ts";

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
  const system = launchSystem(root, ["--empty"], {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LOG_LEVEL: "warn",
    GATEWAY_PORT: `${gateway}`,
    ACCOUNT_PORT: `${account}`,
    SOCIAL_PORT: `${social}`,
    ...settings,
  });
  endWithUs(() => system.process.kill());
  return {
    url: await system.ready(),
    accountUrl: `http://127.0.0.1:${account}`,
    socialUrl: `http://127.0.0.1:${social}`,
    pid: system.pid,
    stop: async () => void (await system.end()),
  };
}
