import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A baseline in a process of its own. */
export interface BaselineProcess {
  url: string;
  pid: number | undefined;
  /** Makes it send the replies of the recording in this file from now on. */
  replay(file: string): Promise<void>;
  stop(): Promise<void>;
}

/** Runs one of the servers beside this file, such as "node-http", and resolves when it answers. */
export function startBaseline(name: string, argument: string): Promise<BaselineProcess> {
  const file = join(import.meta.dirname, `${name}.ts`);
  const child = spawn(process.execPath, [...process.execArgv, file, argument], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("message", (url) =>
      resolve({
        url: url as string,
        pid: child.pid,
        async replay(file) {
          const replaying = once(child, "message");
          child.send(file);
          await Promise.race([replaying, gone.then(() => Promise.reject(new Error(`the baseline ${name} has ended`)))]);
        },
        stop() {
          child.kill();
          return gone;
        },
      }),
    );
    void gone.then(() => reject(new Error(`the baseline ${name} did not start`)));
  });
}
