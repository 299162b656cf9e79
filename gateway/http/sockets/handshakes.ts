import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { malformedRequest } from "../errors/catalog.ts";
import { announcesTooMuch } from "../requests/read-body.ts";
import { refuse } from "./socket-errors.ts";

/** Answers what Node handles apart from ordinary requests: `Expect` headers and CONNECT. */
export function answerHandshakes(server: Server): void {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    // A client that announces too large a body is refused before it sends it. A response that waits for an earlier one has no socket yet,
    // so "100 Continue" would be written into the earlier one. Such a client sends its body after a time-out.
    if (!announcesTooMuch(request) && response.socket !== null) response.writeContinue();
    server.emit("request", request, response);
  });
  // Any other expectation: the request checks answer 417.
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    // Node has removed its own listeners; a reset without a listener would end the process.
    socket.on("error", () => socket.destroy());
    refuse(socket, malformedRequest("This is not a proxy: CONNECT leads nowhere."));
  });
}
