import type { IncomingMessage, Server, ServerResponse } from "node:http";

export type ServeRequest = (request: IncomingMessage, response: ServerResponse) => void;

/** Puts a listener before the server's only request listener, which it is given. */
export function interceptRequests(server: Server, intercept: (serve: ServeRequest) => ServeRequest): void {
  const [serve] = server.listeners("request") as [ServeRequest];
  server.removeAllListeners("request");
  server.on("request", intercept(serve.bind(server)));
}
