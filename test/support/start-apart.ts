import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** One of our processes on its own: it is not started again. */
export interface ApartProcess {
  url: string;
  /** Its exit code, or the signal that ended it; undefined while it runs. */
  exitCode(): number | string | undefined;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<{ code: number | null; seconds: number }>;
  /** Ends it where it still runs. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/** Starts a process as it is deployed and resolves when it answers. Throws when it ends before that. */
export async function startApart(main: string, settings: NodeJS.ProcessEnv): Promise<ApartProcess> {
  const child = fork(join(import.meta.dirname, "../..", main), {
    env: { PATH: process.env.PATH, LOG_LEVEL: "fatal", ...settings },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  const failed = exited.then(([code]) => Promise.reject(new Error(`${main} ended with ${code}`)));
  const [message] = (await Promise.race([once(child, "message"), failed])) as [{ ready: string }];
  failed.catch(() => {});
  return {
    url: message.ready,
    exitCode: () => child.exitCode ?? child.signalCode ?? undefined,
    async stop() {
      const start = performance.now();
      child.kill("SIGTERM");
      const [code] = await exited;
      return { code, seconds: (performance.now() - start) / 1_000 };
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    signal: (name) => void child.kill(name),
  };
}
