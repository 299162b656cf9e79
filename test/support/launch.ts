import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { unlimitedWrites } from "../../bench/system/unlimited-writes.ts";
import type { CacheParts } from "../../gateway/cache/cached-operations.ts";
import { loadConfig as loadGatewayConfig } from "../../gateway/config.ts";
import { startGateway } from "../../gateway/server.ts";
import { loadConfig as loadAccountConfig } from "../../services/account/config.ts";
import { startAccount } from "../../services/account/service.ts";
import { type Supervised, supervise } from "../../services/local/supervise.ts";
import type { Announcer } from "../../services/platform/freshness/announcer.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog, type Log } from "../../services/platform/log.ts";
import { loadConfig as loadSocialConfig } from "../../services/social/config.ts";
import type { Freshness } from "../../services/social/freshness.ts";
import { startSocial } from "../../services/social/service.ts";

export type Role = "gateway" | "account" | "social";

/** What each of our processes runs, from the project's root. */
const mains: Record<Role, string> = {
  gateway: "gateway/main.ts",
  account: "services/account/main.ts",
  social: "services/social/main.ts",
};

/** Passwords are hashed so that it costs next to nothing, unless a test is about hashing and takes `strongHashes`. */
export const cheapHashes = { PASSWORD_HASH_MEMORY_KIB: "8", PASSWORD_HASH_PASSES: "1" };

/** Settings with which passwords are hashed as in production. */
export const strongHashes = { PASSWORD_HASH_MEMORY_KIB: undefined, PASSWORD_HASH_PASSES: undefined };

/** On a free port, and for users who write as often as they like, unless the settings say otherwise. */
const defaults = { GATEWAY_PORT: "0", ACCOUNT_PORT: "0", SOCIAL_PORT: "0", ...unlimitedWrites };

/** What runs in this process may be changed. */
export interface Changes {
  log?: Log;
  /** What the social service gets for its announcements. */
  changeFreshness?: ((sound: Freshness) => Freshness) | undefined;
  /** What the account service gets for its announcements. */
  changeAnnouncer?: ((sound: Announcer) => Announcer) | undefined;
  /** Broken parts of the gateway's cache. */
  cacheParts?: CacheParts | undefined;
}

/** Starts what one of our processes runs in this process, with these settings. */
export function launch(role: Role, settings: NodeJS.ProcessEnv, changes: Changes = {}): Promise<Running> {
  const { log = createLog("test", "fatal"), changeFreshness, changeAnnouncer, cacheParts } = changes;
  const env = { ...defaults, ...settings };
  if (role === "account") return startAccount(loadAccountConfig(env), log, changeAnnouncer);
  if (role === "social") return startSocial(loadSocialConfig(env), log, changeFreshness);
  return startGateway(loadGatewayConfig(env), log, undefined, cacheParts);
}

/** One of our processes by itself: it is not started again. */
export interface ApartProcess extends Running {
  /** Its exit code, or the signal that ended it; undefined while it runs. */
  exitCode(): number | string | undefined;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<{ code: number | null; seconds: number }>;
  /** Ends it as a crash would, where it still runs. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/** Starts a process as it is deployed and resolves when it answers. Throws when it ends before that. */
export async function launchApart(role: Role, settings: NodeJS.ProcessEnv): Promise<ApartProcess> {
  const child = fork(join(import.meta.dirname, "../..", mains[role]), {
    env: { PATH: process.env.PATH, LOG_LEVEL: "fatal", ...defaults, ...settings },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  const failed = exited.then(([code]) => Promise.reject(new Error(`${role} ended with ${code}`)));
  const [message] = (await Promise.race([once(child, "message"), failed])) as [{ ready: string }];
  failed.catch(() => {});
  const stop = async () => {
    const start = performance.now();
    child.kill("SIGTERM");
    const [code] = await exited;
    return { code, seconds: (performance.now() - start) / 1_000 };
  };
  return {
    url: message.ready,
    exitCode: () => child.exitCode ?? child.signalCode ?? undefined,
    stop,
    close: async () => void (await stop()),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    signal: (name) => void child.kill(name),
  };
}

/** Starts a process as `npm start` runs it: again whenever it ends. `logs` is the folder for what it logs. */
export function launchSupervised(
  role: Role,
  name: string,
  settings: NodeJS.ProcessEnv,
  { logs, say }: { logs: string; say(line: string): void },
): Promise<Supervised> {
  const common = { PATH: process.env.PATH, LOG_LEVEL: "info", RATE_LIMITS: "off", ...cheapHashes, ...defaults };
  return supervise({ name, main: mains[role], environment: { ...common, ...settings }, logs, say });
}
