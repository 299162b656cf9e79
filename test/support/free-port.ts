import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port of loopback that nobody listens on at the moment. It lies below those that systems give to outgoing connections, of
 * which the tests beside this one make thousands: one of them could have the port before it is used.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error("there is no free port");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
