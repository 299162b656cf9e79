import { once } from "node:events";
import http from "node:http";
import type { AddressInfo, Server } from "node:net";

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
