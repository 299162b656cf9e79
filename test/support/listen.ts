import { randomInt } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";

/** Lets a server listen at a free port of 127.0.0.1, and returns the port. `backlog`: connections that may wait to be accepted. */
export async function listen(server: Server, backlog?: number): Promise<number> {
  await once(server.listen({ port: 0, host: "127.0.0.1", backlog }), "listening");
  return (server.address() as AddressInfo).port;
}

/** Ends a server, and its connections if it is an HTTP server. */
export async function stopListening(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  if (server instanceof http.Server) server.closeAllConnections();
  await closed;
}

/** The range of ports, below those that systems use for outgoing connections. */
const [lowest, highest] = [20_000, 32_000];
/** How many of them each room has for itself: it may use a port long after it was found free. */
const perRoom = 400;
/** The first port of this room, which test/run.ts numbers; a random one for a file that runs alone. */
const first = lowest + perRoom * Number(process.env.TEST_ROOM ?? randomInt((highest - lowest) / perRoom));
let next = randomInt(perRoom);

/** A port of loopback that is free, and that no other call in this test run gets at the same time. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < perRoom; attempt++) {
    const port = first + (next++ % perRoom);
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
