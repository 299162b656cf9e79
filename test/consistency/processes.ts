import { setTimeout as sleep } from "node:timers/promises";
import { loadConfig as loadGatewayConfig } from "../../gateway/config.ts";
import { startGateway } from "../../gateway/server.ts";
import { createLog } from "../../services/platform/log.ts";
import { loadConfig as loadSocialConfig } from "../../services/social/config.ts";
import { startSocial } from "../../services/social/service.ts";
import { startApart as startProcess } from "../support/start-apart.ts";
import { type PlantedFault, plantedFreshness, plantedParts } from "./planted-faults.ts";

/** One run of a process. */
interface Run {
  url: string;
  close(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/** Starts one process of the system with this environment. */
export type StartProcess = (role: "gateway" | "social", env: NodeJS.ProcessEnv) => Promise<Run>;

/** A process of a check, that may be disturbed. Its address stays. */
export interface CheckedProcess {
  name: string;
  url: string;
  /** Ends it as a crash would, and starts it again. */
  restart(): Promise<void>;
  /** Stops it for so many milliseconds; it does not notice. */
  pause(ms: number): Promise<void>;
  stop(): Promise<void>;
}

export async function keepProcess(name: string, start: () => Promise<Run>): Promise<CheckedProcess> {
  let run = await start();
  return {
    name,
    url: run.url,
    async restart() {
      await run.kill();
      run = await start();
    },
    async pause(ms) {
      run.signal("SIGSTOP");
      await sleep(ms);
      run.signal("SIGCONT");
    },
    stop: () => run.close(),
  };
}

const mains = { gateway: "gateway/main.ts", social: "services/social/main.ts" };

/** As `npm start` does: a process of its own. */
export const startApart: StartProcess = async (role, env) => {
  const { url, stop, kill, signal } = await startProcess(mains[role], env);
  return { url, kill, signal, close: async () => void (await stop()) };
};

/** In this process, which cannot be killed, with a fault built in or none. */
export function startHere(fault?: PlantedFault): StartProcess {
  const log = createLog("consistency", "fatal");
  const notHere = () => {
    throw new Error("only a process of its own can be disturbed");
  };
  const alter = plantedFreshness(fault);
  return async (role, env) => {
    const running =
      role === "gateway" ? await startGatewayHere(env) : await startSocial(loadSocialConfig(env), log, alter);
    return { url: running.url, close: running.close, kill: notHere, signal: notHere };
  };

  function startGatewayHere(env: NodeJS.ProcessEnv) {
    const config = loadGatewayConfig(env);
    return startGateway(config, log, undefined, plantedParts(fault, config.freshnessMs));
  }
}
