import { loadConfig as loadGatewayConfig } from "../../gateway/config.ts";
import { startGateway } from "../../gateway/server.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { loadConfig as loadSocialConfig } from "../../services/social/config.ts";
import { startSocial } from "../../services/social/service.ts";
import { startApart as startProcess } from "../support/start-apart.ts";
import { type PlantedFault, plantedFreshness, plantedParts } from "./planted-faults.ts";

/** Starts one process of the system with this environment. */
export type StartProcess = (role: "gateway" | "social", env: NodeJS.ProcessEnv) => Promise<Running>;

const mains = { gateway: "gateway/main.ts", social: "services/social/main.ts" };

/** As `npm start` does: a process of its own. */
export const startApart: StartProcess = async (role, env) => {
  const { url, stop } = await startProcess(mains[role], env);
  return { url, close: async () => void (await stop()) };
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
    return startSocial(config, log, plantedFreshness(fault));
  };
}
