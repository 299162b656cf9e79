import { createServer } from "node:http";
import { listen, stopListening } from "../support/listen.ts";

export interface AttackServer {
  port: string;
  stop(): Promise<void>;
}

/** A site of an attacker: an empty page at every path, and redirects at `/302` and `/307` to the address in `to`. */
export async function startAttackServer(): Promise<AttackServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://attacker.example");
    const status = Number(pathname.slice(1));
    if (status > 300) return void response.writeHead(status, { location: searchParams.get("to") ?? "/" }).end();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<!doctype html><title>Attack</title>");
  });
  // Chromium resolves names under localhost to either loopback address.
  const port = await listen(server);
  return {
    port: `${port}`,
    stop: () => stopListening(server),
  };
}
