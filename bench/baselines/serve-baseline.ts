import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Opens a baseline's port, sends its address to the bench, and ends with the bench. */
export function serveBaseline(server: Server): void {
  server.listen({ host: "127.0.0.1", port: 0, backlog: 1024 }, () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  process.on("disconnect", () => process.exit());
}
