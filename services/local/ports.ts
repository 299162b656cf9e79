import { type AddressInfo, createServer } from "node:net";
import type { LocalConfig } from "./config.ts";

/** @throws Error naming the setting of each port that another program listens on */
export async function checkPorts({ ports, host, serviceHost }: LocalConfig): Promise<void> {
  const wanted = Object.entries(ports).map(([setting, port]) => ({
    setting,
    port,
    host: setting === "GATEWAY_PORT" ? host : serviceHost,
  }));
  const taken = await Promise.all(wanted.map(async (one) => ((await isTaken(one.port, one.host)) ? [one] : [])));
  const lines = taken.flat().map(({ setting, port }) => `Port ${port} is taken: choose another with ${setting}=PORT.`);
  if (lines.length > 0) throw new Error(lines.join("\n"));
}

function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EADDRINUSE"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)));
  });
}

/** A port of loopback on which no program listens at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
