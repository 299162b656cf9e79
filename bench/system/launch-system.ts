import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { exitOf } from "../../services/local/child-process.ts";
import { findProcess } from "./processes.ts";

/** `npm start` in a process of its own. */
export interface LaunchedSystem {
  process: ChildProcess;
  /** Everything that it has printed. */
  output(): string;
  /** Resolves with the gateway's address once it is ready. Rejects with its output when it ends before that. */
  ready(): Promise<string>;
  /**
   * The id of its process whose command line contains this, such as "gateway/main.ts", or "services/local/main.ts" for the
   * launcher; undefined when there is none, and without /proc.
   */
  pid(command: string): number | undefined;
  /** Sends a signal and resolves when it has ended, with its exit code; null when a signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Runs `npm start` of the checkout at `root`.
 * @param env its whole environment; nothing of this process's own is passed on
 * @param nodeOptions by which Node runs its TypeScript
 */
export function launchSystem(
  root: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  user: Pick<SpawnOptions, "uid" | "gid"> = {},
  nodeOptions: readonly string[] = process.execArgv,
): LaunchedSystem {
  const child = spawn(process.execPath, [...nodeOptions, "services/local/main.ts", ...args], {
    ...user,
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  }
  return {
    process: child,
    output: () => output,
    ready: () =>
      new Promise((resolve, reject) => {
        child.stdout.on("data", () => {
          const url = /^ready (\S+)$/m.exec(output)?.[1];
          if (url !== undefined) resolve(url);
        });
        const refuse = () => reject(new Error(`npm start ended:\n${output}`));
        child.once("error", reject).once("exit", refuse);
      }),
    pid: (command) => (child.pid === undefined ? undefined : findProcess(child.pid, command)),
    async end(signal = "SIGTERM") {
      child.kill(signal);
      return (await exitOf(child)).code;
    },
  };
}
