import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { malformedRequest } from "../errors/catalog.ts";
import { announcesTooMuch } from "../requests/read-body.ts";
import { refuse } from "./socket-errors.ts";

/** Answers what Node handles apart from ordinary requests: `Expect` headers and CONNECT. */
export function answerHandshakes(server: Server): void {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    // A client that announces too large a body is refused before it sends it. A response that waits for an earlier one has no socket yet:
    // "100 Continue" would be written into that one. Its client sends the body without it, after a time-out.
    if (!announcesTooMuch(request) && response.socket !== null) response.writeContinue();
    server.emit("request", request, response);
  });
  // Any other expectation: the request checks answer 417.
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    // Node has taken its own listeners off; a reset without one would end the process.
    socket.on("error", () => socket.destroy());
    refuse(socket, malformedRequest("This is not a proxy: CONNECT leads nowhere."));
  });
}
