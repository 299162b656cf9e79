import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Recording, readRecording } from "./recording.ts";

/**
 * Opens a baseline's port, sends its address to the bench, and ends with the bench.
 * @param replay makes it send the replies of another recording, whose file the bench has named; undefined: it replays nothing
 */
export function serveBaseline(server: Server, replay?: (recording: Recording) => void): void {
  process.on("message", (file: string) => {
    replay?.(readRecording(file));
    process.send?.("replaying");
  });
  server.listen({ host: "127.0.0.1", port: 0, backlog: 1024 }, () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  process.on("disconnect", () => process.exit());
}
