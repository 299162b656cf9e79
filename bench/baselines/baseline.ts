import { spawn } from "node:child_process";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A baseline in a process of its own. */
export interface Baseline {
  url: string;
  stop(): Promise<void>;
}

/** Runs one of the servers beside this file and resolves when it answers. */
export function startBaseline(name: "node-http" | "monolith", argument: string): Promise<Baseline> {
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, `${name}.ts`), argument], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("message", (url) =>
      resolve({
        url: url as string,
        stop() {
          child.kill();
          return gone;
        },
      }),
    );
    void gone.then(() => reject(new Error(`the baseline ${name} did not start`)));
  });
}

/** In the process of a baseline: opens its port, sends its address to the bench, and ends with the bench. */
export function serveBaseline(server: Server): void {
  server.listen({ host: "127.0.0.1", port: 0, backlog: 1024 }, () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  process.on("disconnect", () => process.exit());
}
