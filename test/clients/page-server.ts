import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { listen, stopListening } from "../support/listen.ts";

const require = createRequire(import.meta.url);
const jquery = readFileSync(require.resolve("jquery"));

export interface PageServer {
  /** An origin other than the gateway's. */
  origin: string;
  stop(): Promise<void>;
}

/** Another site: one page with jQuery, at a port of its own. */
export async function startPageServer(): Promise<PageServer> {
  const server = createServer((request, response) => {
    if (request.url === "/jquery.js") {
      response.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end(jquery);
      return;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end('<!doctype html><title>Elsewhere</title><script src="/jquery.js"></script>');
  });
  const port = await listen(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () => stopListening(server),
  };
}
