import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { malformedRequest } from "../errors/catalog.ts";
import { announcesTooMuch } from "../requests/read-body.ts";
import { refuse } from "./socket-errors.ts";

/** Answers what Node handles apart from ordinary requests: `Expect` headers and CONNECT. */
export function answerHandshakes(server: Server): void {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    // A client that asks before it sends too much is told so in time. Behind another request the response has no socket
    // yet, and "100 Continue" would go into the midst of the reply before it; the client sends its body after a while.
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
