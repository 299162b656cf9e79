import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopback } from "../connect/admission.ts";
import { hostOf, isLoopbackHost, urlHost } from "../connect/host-header.ts";
import type { Log } from "../log.ts";
import { createPage, type MetricsPage } from "./page.ts";
import type { Registry } from "./registry.ts";

export interface AdminOptions {
  host: string;
  /** 0 picks a free one; undefined: there is no such port, and costly measurements are not made. */
  adminPort: number | undefined;
}

/** The server of the admin port. */
export interface AdminServer {
  close(): Promise<void>;
}

/** Serves `GET /metrics` on a port of its own, with Node's metrics of the process and its event loop. */
export async function serveAdmin(
  { host, adminPort }: AdminOptions,
  registry: Registry,
  log: Log,
): Promise<AdminServer> {
  if (adminPort === undefined) return { close: async () => {} };
  const page = createPage(registry);
  const server = http.createServer((request, response) => {
    answer(page, request, response).catch((error: Error) => {
      log.error({ err: error }, "metrics");
      response.destroy();
    });
  });
  await once(server.listen({ host, port: adminPort }), "listening");
  log.info({ url: `http://${urlHost(host)}:${(server.address() as AddressInfo).port}/metrics` }, "serving metrics");
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(page: MetricsPage, request: http.IncomingMessage, response: http.ServerResponse) {
  const host = hostOf(request);
  if (host === undefined) return void response.writeHead(400).end();
  // A page of another site in a browser of this machine could use a name that resolves to loopback (DNS rebinding).
  if (isLoopback(request.socket.remoteAddress) && !isLoopbackHost(host)) return void response.writeHead(403).end();
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || !/^\/metrics(\?|$)/.test(request.url ?? "")) return void response.writeHead(isRead ? 404 : 405).end();
  const text = await page.text();
  response.writeHead(200, { "content-type": page.contentType, "content-length": Buffer.byteLength(text) });
  response.end(text);
}
