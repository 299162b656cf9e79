import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { unlimitedWrites } from "../../bench/system/start-system.ts";

export type Role = "gateway" | "account" | "social";

/** The main file of each process, from the project's root. */
export const mains: Record<Role, string> = {
  gateway: "gateway/main.ts",
  account: "services/account/main.ts",
  social: "services/social/main.ts",
};

/** On a free port and without limits of writes, unless the settings say otherwise. */
export const defaults = { GATEWAY_PORT: "0", ACCOUNT_PORT: "0", SOCIAL_PORT: "0", ...unlimitedWrites };

/** One process by itself; it is not restarted. */
export type LaunchedProcess = Awaited<ReturnType<typeof launchProcess>>;

/** Starts a process as it is deployed and resolves when it answers. @throws Error when it ends before that */
export async function launchProcess(role: Role, settings: NodeJS.ProcessEnv) {
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
    pid: child.pid as number,
    /** Its exit code, or the signal that ended it; undefined while it runs. */
    exitCode: () => child.exitCode ?? child.signalCode ?? undefined,
    stop,
    close: async () => void (await stop()),
    /** Kills it, if it still runs. */
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    signal: (name: NodeJS.Signals) => void child.kill(name),
  };
}
