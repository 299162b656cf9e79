import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalConfig, loadConfig } from "../services/local/config.ts";
import { startSystem } from "../services/local/start-system.ts";

/** A whole system, started as `npm start` starts it, durable, empty, on free ports and a home that goes when it stops. */
export async function startBenchSystem(): Promise<{ config: LocalConfig; url: string; stop(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), "roost-bench-"));
  const [gateway, account, social] = await Promise.all([freePort(), freePort(), freePort()]);
  const config = loadConfig({
    PATH: process.env.PATH,
    ROOST_HOME: home,
    GATEWAY_PORT: `${gateway}`,
    ACCOUNT_PORT: `${account}`,
    SOCIAL_PORT: `${social}`,
    LOG_LEVEL: "warn",
  });
  const system = await startSystem(config, (line) => console.error(line));
  return {
    config,
    url: system.url,
    async stop() {
      await system.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
