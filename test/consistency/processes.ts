import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { loadConfig as loadGatewayConfig } from "../../gateway/config.ts";
import { startGateway } from "../../gateway/server.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { loadConfig as loadSocialConfig } from "../../services/social/config.ts";
import { startSocial } from "../../services/social/service.ts";
import { type PlantedFault, plantedFreshness, plantedParts } from "./planted-faults.ts";

/** Starts one process of the system with this environment. */
export type StartProcess = (role: "gateway" | "social", env: NodeJS.ProcessEnv) => Promise<Running>;

const root = join(import.meta.dirname, "..", "..");
const mains = { gateway: "gateway/main.ts", social: "services/social/main.ts" };

/** As `npm start` does: a process of its own. */
export const startApart: StartProcess = async (role, env) => {
  const child = fork(join(root, mains[role]), {
    env,
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [message] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error(`${role} did not start`))),
  ])) as [{ ready: string }];
  return {
    url: message.ready,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
};

/** In this process, with a fault built in or none. */
export function startHere(fault?: PlantedFault): StartProcess {
  const log = createLog("consistency", "fatal");
  return (role, env) => {
    if (role === "gateway") {
      const config = loadGatewayConfig(env);
      return startGateway(config, log, undefined, plantedParts(fault, config.freshnessMs));
    }
    const config = loadSocialConfig(env);
    return startSocial(config, log, plantedFreshness(fault, config));
  };
}
