import { loadConfig as loadGatewayConfig } from "../../gateway/config.ts";
import type { BreakReads } from "../../gateway/reads/reads.ts";
import { startGateway } from "../../gateway/server.ts";
import { loadConfig as loadAccountConfig } from "../../services/account/config.ts";
import { startAccount } from "../../services/account/service.ts";
import { type Supervised, supervise } from "../../services/local/supervise.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog, type Log } from "../../services/platform/log.ts";
import { loadConfig as loadSocialConfig } from "../../services/social/config.ts";
import { startSocial } from "../../services/social/service.ts";
import { defaults, mains, type Role } from "./launch-process.ts";

export { type LaunchedProcess, launchProcess, type Role } from "./launch-process.ts";

/** Settings with which hashing a password costs almost nothing; tests about hashing use `strongHashes`. */
export const cheapHashes = { PASSWORD_HASH_MEMORY_KIB: "8", PASSWORD_HASH_PASSES: "1" };

/** Settings with which passwords are hashed as in production. */
export const strongHashes = { PASSWORD_HASH_MEMORY_KIB: undefined, PASSWORD_HASH_PASSES: undefined };

/** Parts of a process in this process that a test may replace. */
export interface Changes {
  log?: Log;
  breakReads?: BreakReads | undefined;
}

/** Starts one of our processes inside this process, with these settings. */
export function launch(role: Role, settings: NodeJS.ProcessEnv, changes: Changes = {}): Promise<Running> {
  const { log = createLog("test", "fatal"), breakReads } = changes;
  const env = { ...defaults, ...settings };
  if (role === "account") return startAccount(loadAccountConfig(env), log);
  if (role === "social") return startSocial(loadSocialConfig(env), log);
  return startGateway(loadGatewayConfig(env), log, undefined, breakReads);
}

/** Starts a process as `npm start` runs it: it is restarted whenever it ends. `logs` is the folder for its logs. */
export function launchSupervised(
  role: Role,
  name: string,
  settings: NodeJS.ProcessEnv,
  { logs, say }: { logs: string; say(line: string): void },
): Promise<Supervised> {
  const common = { PATH: process.env.PATH, LOG_LEVEL: "info", RATE_LIMITS: "off", ...cheapHashes, ...defaults };
  return supervise({ name, main: mains[role], environment: { ...common, ...settings }, logs, say });
}
