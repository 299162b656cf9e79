import http from "node:http";
import http2 from "node:http2";
import net, { type AddressInfo, type Socket } from "node:net";
import type { ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import type { Running } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { admitCallers } from "./admission.ts";
import { translateErrors } from "./error-interceptor.ts";

export interface ServiceServerOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  log: Log;
  /** Callers outside loopback have to present it; without one they are refused. */
  serviceToken?: string | undefined;
}

/**
 * Serves RPCs on one port: Connect and gRPC-Web over HTTP/1.1, gRPC and Connect over cleartext HTTP/2. The first bytes
 * tell which: an HTTP/2 client opens with the connection preface (RFC 9113 §3.4).
 */
export async function serveRpc(
  options: ServiceServerOptions,
  routes: (router: ConnectRouter) => void,
): Promise<Running> {
  const adapter = connectNodeAdapter({
    routes,
    interceptors: [translateErrors(options.log)],
    readMaxBytes: 4 * 1024 * 1024,
    maxTimeoutMs: 60_000,
    acceptCompression: [],
  });
  const handler = admitCallers(options.serviceToken, adapter);
  const http1 = http.createServer({ keepAliveTimeout: 65_000 }, handler);
  const h2 = http2.createServer(handler);
  const sessions = new Set<http2.ServerHttp2Session>();
  h2.on("session", (session) => {
    sessions.add(session);
    session.on("error", (error) => options.log.debug({ err: error }, "http2 session"));
    session.once("close", () => sessions.delete(session));
  });

  const sockets = new Set<Socket>();
  const listener = net.createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", (error) => options.log.debug({ err: error }, "socket"));
    handOver(socket, http1, h2);
  });
  await listen(listener, options.host, options.port);

  return {
    url: `http://${urlHost(options.host)}:${(listener.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const session of sessions) session.close();
      http1.closeIdleConnections();
      const idle = setInterval(() => http1.closeIdleConnections(), 50);
      const force = setTimeout(() => sockets.forEach((socket) => socket.destroy()), 5_000);
      await closed;
      clearInterval(idle);
      clearTimeout(force);
      http1.close();
      h2.close();
    },
  };
}

const preface = Buffer.from("PRI * HTTP/2.0");

/** Waits for the first bytes, then gives the socket to the server that speaks its protocol. */
function handOver(socket: Socket, http1: http.Server, h2: http2.Http2Server): void {
  const silent = setTimeout(() => socket.destroy(), 10_000);
  socket.once("data", (chunk: Buffer) => {
    clearTimeout(silent);
    socket.pause();
    socket.unshift(chunk);
    const length = Math.min(chunk.length, preface.length);
    const target = chunk.subarray(0, length).equals(preface.subarray(0, length)) ? h2 : http1;
    target.emit("connection", socket);
    if (target === http1) socket.resume();
  });
  socket.once("close", () => clearTimeout(silent));
}

function listen(server: net.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** A host as it stands in a URL: IPv6 addresses in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
