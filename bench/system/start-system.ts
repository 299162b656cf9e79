import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../services/local/ports.ts";
import type { Databases } from "../../services/local/prepare-database.ts";
import { killAtExit } from "./kill-at-exit.ts";
import { launchSystem } from "./launch-system.ts";
import { processorSeconds } from "./processes.ts";

/** A running system, started as by `npm start`. */
export interface BenchSystem {
  /** The gateway's address. */
  url: string;
  accountUrl: string;
  socialUrl: string;
  /** Seconds of processor time that all its processes have used, Postgres and Redis included; undefined without /proc. */
  processorSeconds(): number | undefined;
  gatewayPid(): number | undefined;
  stop(): Promise<void>;
}

/** How a checkout is started. */
export interface Start {
  root: string;
  /** By which Node runs its TypeScript. */
  nodeOptions: readonly string[];
  settings: NodeJS.ProcessEnv;
  /** A Postgres that runs already; without one the system starts its own, empty. */
  database?: { pid: number; urls: Databases };
}

/** Where a bench stores data. */
export const benchFolder = join(import.meta.dirname, "../../.roost/bench");

/** Settings of a social service without limits of writes: tests and measurements write more than people do. */
export const unlimitedWrites = {
  STATUSES_PER_3_HOURS: "0",
  FOLLOWS_PER_DAY: "0",
  MARKS_PER_DAY: "0",
  REPORTS_PER_DAY: "0",
  CHANGES_PER_DAY: "0",
};

/** The environment of `npm start` on free ports; of the bench's own it has only what a shell needs. */
export async function benchEnvironment(home: string, settings: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const [gateway, account, social] = await Promise.all([freePort(), freePort(), freePort()]);
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ROOST_HOME: home,
    LOG_LEVEL: "warn",
    GATEWAY_PORT: `${gateway}`,
    ACCOUNT_PORT: `${account}`,
    SOCIAL_PORT: `${social}`,
    ...unlimitedWrites,
    READS_PER_ADDRESS: "0",
    ...settings,
  };
}

/** A folder that no other system uses, on the disk of this checkout: in memory a write would cost nothing. */
export function makeHome(): string {
  mkdirSync(benchFolder, { recursive: true });
  return mkdtempSync(join(benchFolder, "system-"));
}

/** Starts a system without sample data and resolves when it answers. What it stores is deleted when it stops. */
export async function startSystem({ root, nodeOptions, settings, database }: Start): Promise<BenchSystem> {
  const home = makeHome();
  const environment = await benchEnvironment(home, {
    ...(database && { ACCOUNT_DATABASE_URL: database.urls.account, SOCIAL_DATABASE_URL: database.urls.social }),
    ...settings,
  });
  const system = launchSystem(root, ["--empty"], environment, {}, nodeOptions);
  killAtExit(() => system.process.kill());
  const roots = [system.process.pid as number, ...(database ? [database.pid] : [])];
  return {
    url: await system.ready(),
    accountUrl: `http://127.0.0.1:${environment.ACCOUNT_PORT}`,
    socialUrl: `http://127.0.0.1:${environment.SOCIAL_PORT}`,
    processorSeconds: () => processorSeconds(roots),
    gatewayPid: () => system.pid("gateway/main.ts"),
    async stop() {
      await system.end();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
