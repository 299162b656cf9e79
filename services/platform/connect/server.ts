import { once } from "node:events";
import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import http2, { type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { Code, ConnectError, type ConnectRouter, type Interceptor } from "@connectrpc/connect";
import { compressionGzip, connectNodeAdapter } from "@connectrpc/connect-node";
import { aborted, unavailable } from "../errors.ts";
import { drain, type Running } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { isConflict, isConnectionFailure, isLockTimeout } from "../postgres/failures.ts";
import { detectProtocol } from "../protocol-detection.ts";
import { keepUnsentReplies } from "../unsent-replies.ts";
import { checkAccess, enforceAccess } from "./access.ts";
import { admitCallers } from "./admission.ts";
import { addHealth, type ServiceHealth } from "./health.ts";
import { urlHost } from "./host-header.ts";
import { referenceOf } from "./identity.ts";
import { addRoutesWithReads } from "./read-many.ts";
import { addReflection } from "./reflection.ts";
import { logRpcs } from "./rpc-log.ts";
import { rpcName } from "./rpc-names.ts";

export interface ServiceServerOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  log: Log;
  /** Callers outside loopback have to present one of these; without any they are refused. */
  serviceTokens?: readonly string[];
  /** Milliseconds of a stop in which health reports it while everything is still served. Default 0. */
  drainMs?: number;
  /** Whether calls can succeed at the moment, for grpc.health.v1. Default: as long as the server runs. */
  isReady?: () => Promise<boolean>;
  /** Parts with a health of their own, by name. */
  healthParts?: ReadonlyMap<string, () => Promise<boolean>>;
  /** Interceptors of every call, outermost first. Errors that reach them already have their code. */
  interceptors?: Interceptor[];
}

/**
 * Serves RPCs on one port: Connect and gRPC-Web over HTTP/1.1, gRPC and Connect over cleartext HTTP/2, which is recognized by the
 * connection preface (RFC 9113 §3.4). Adds ReadMany, health and reflection.
 * @throws Error when an RPC does not say who may call it
 */
export async function serveRpc(
  options: ServiceServerOptions,
  routes: (router: ConnectRouter) => void,
): Promise<Running> {
  let health: ServiceHealth | undefined;
  const unaryPaths = new Set<string>();
  const interceptors = [
    ...(options.interceptors ?? []),
    logRpcs(options.log),
    translateErrors(options.log),
    enforceAccess(),
  ];
  const adapter = connectNodeAdapter({
    routes(router) {
      addRoutesWithReads(router, routes, interceptors);
      health = addHealth(router, { isReady: options.isReady ?? (async () => true), parts: options.healthParts });
      addReflection(router);
      checkAccess(router.handlers.map((handler) => handler.method));
      for (const { method, requestPath } of router.handlers) {
        if (method.methodKind === "unary") unaryPaths.add(requestPath);
      }
    },
    interceptors,
    readMaxBytes,
    acceptCompression: [compressionGzip],
    // Requests may be compressed; a compressed answer would cost more time than it saves.
    compressMinBytes: Number.POSITIVE_INFINITY,
  });
  const handler = admitCallers(options.serviceTokens ?? [], (request, response) => {
    if (request.headers["content-type"]?.startsWith(webText)) return refuseWebText(request, response);
    const [path = ""] = (request.url ?? "").split("?", 1);
    limitDeadline(request, unaryPaths.has(path));
    escapeLess(response);
    adapter(request, response);
  });
  let isEnding = false;
  const h2 = http2.createServer(handler);
  const sessions = new Set<http2.ServerHttp2Session>();
  const http2Sockets = new WeakSet<Socket>();
  h2.on("connection", (socket: Socket) => void http2Sockets.add(socket));
  h2.on("session", (session) => {
    sessions.add(session);
    session.setTimeout(idleSession, () => session.close());
    session.on("error", (error) => options.log.debug({ err: error }, "http2 session"));
    session.once("close", () => sessions.delete(session));
  });
  const server = http.createServer({ keepAliveTimeout: keepAlive }, (request, response) => {
    if (isEnding) response.shouldKeepAlive = false;
    handler(request, response);
  });
  server.maxRequestsPerSocket = callsPerConnection;
  const sockets = shareSockets(server, h2, options.log);
  keepUnsentReplies(server, sockets);
  await once(server.listen({ host: options.host, port: options.port, backlog: 1024 }), "listening");

  return {
    url: `http://${urlHost(options.host)}:${(server.address() as AddressInfo).port}`,
    async close() {
      health?.drain();
      await drain(options.drainMs ?? 0, () => {
        isEnding = true;
        for (const socket of sockets) if (http2Sockets.has(socket)) socket.write(shutdownNotice);
      });
      // Closes idle HTTP/1.1 connections as well; requests that run may finish.
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.close();
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const force = setTimeout(() => sockets.forEach((socket) => socket.destroy()), closeTimeoutMs);
      await closed;
      clearInterval(idle);
      clearTimeout(force);
    },
  };
}

/** The largest request; imports send the largest ones. */
const readMaxBytes = 4 * 1024 * 1024;
/** The longest deadline of a call with one answer. */
const maxTimeoutMs = 60_000;
/** The longest that a timer of Node can wait. */
const maxStreamMs = 2 ** 31 - 1;
/** Milliseconds; longer than our clients keep an idle connection, so that they never use one that is closing. */
const keepAlive = 65_000;
/** Milliseconds that running calls have to finish when the server closes. With the longest drain this stays within 10 s. */
const closeTimeoutMs = 4_000;
/** After this a caller has to connect again, so that processes that were added later get connections. */
const callsPerConnection = 10_000;
/** Milliseconds after which an idle HTTP/2 session is closed; clients open a new one when they need it. */
const idleSession = 300_000;
/**
 * A GOAWAY without an error and with the highest stream id: the client opens no more streams on this connection, and streams on the way are
 * served (RFC 9113 §6.8). Node can only send the final GOAWAY, after which streams on the way are refused; and after a GOAWAY of its own it
 * stops reading from a connection without open streams. So this one is written past Node's library.
 */
const shutdownNotice = Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
/** Milliseconds that a new connection may send nothing. */
const silence = 10_000;

/**
 * Gives a call the longest deadline where it asks for a later one, or has one answer and asks for none: the library would refuse the
 * former and not limit the latter. What cannot be read is left to the library, which refuses it.
 */
function limitDeadline({ headers }: IncomingMessage | Http2ServerRequest, isUnary: boolean): void {
  const isGrpc = headers["content-type"]?.startsWith("application/grpc");
  const [name, form] = isGrpc
    ? (["grpc-timeout", /^(\d+)([HMSmun])$/] as const)
    : (["connect-timeout-ms", /^(\d+)$/] as const);
  const given = headers[name];
  const [, amount, unit = "m"] = form.exec(`${given}`) ?? [];
  const maxMs = isUnary ? maxTimeoutMs : maxStreamMs;
  const isLate = Number(amount) * (unitsInMs[unit] as number) > maxMs;
  // gRPC takes eight digits.
  if (isLate || (isUnary && given === undefined)) headers[name] = isGrpc ? `${Math.floor(maxMs / 1_000)}S` : `${maxMs}`;
}

const webText = "application/grpc-web-text";

/** Refuses gRPC-Web's base64 form, which the library does not serve. Its clients read the text only from an answer of status 200. */
function refuseWebText(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): void {
  request.resume();
  response.writeHead(200, {
    "content-type": webText,
    "grpc-status": `${Code.Unimplemented}`,
    "grpc-message": `${webText} is not served: send application/grpc-web+proto, gRPC or Connect.`,
  });
  response.end();
}

/** gRPC's units of time. */
const unitsInMs: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/**
 * Escapes in the text of a gRPC error only what would not arrive otherwise: percent signs, what is not printable ASCII, and blanks at its
 * ends. The library escapes as for a URI, and @grpc/grpc-js leaves its commas, colons and slashes escaped.
 */
function escapeLess(response: ServerResponse | Http2ServerResponse): void {
  const addTrailers = response.addTrailers.bind(response) as (trailers: OutgoingHttpHeaders) => void;
  response.addTrailers = (trailers: OutgoingHttpHeaders) => {
    const message = trailers["grpc-message"];
    if (message !== undefined) {
      trailers["grpc-message"] = decodeURIComponent(`${message}`).replace(/^ +| +$|[^ -$&-~]+/g, encodeURIComponent);
    }
    addTrailers(trailers);
  };
}

/** Takes the place of the HTTP/1.1 server's connection listener, and hands HTTP/2 connections to `h2`. */
function shareSockets(server: http.Server, h2: http2.Http2Server, log: Log): Set<Socket> {
  const [acceptHttp1] = server.listeners("connection");
  const sockets = new Set<Socket>();
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", (error) => log.debug({ err: error }, "socket"));
    detectHttp2(socket, (isHttp2) => {
      if (isHttp2) {
        h2.emit("connection", socket);
      } else {
        acceptHttp1?.call(server, socket);
        socket.resume();
      }
    });
  });
  return sockets;
}

const preface = Buffer.from("PRI * HTTP/2.0");

/** Waits for enough bytes to decide, and leaves all of them for the next reader. */
function detectHttp2(socket: Socket, decide: (isHttp2: boolean) => void): void {
  const isLike = (seen: Buffer) => {
    const length = Math.min(seen.length, preface.length);
    return seen.subarray(0, length).equals(preface.subarray(0, length));
  };
  // "P" may still become POST.
  const look = (seen: Buffer) => (isLike(seen) && seen.length < preface.length ? undefined : 0);
  detectProtocol(socket, silence, look, (seen) => decide(isLike(seen)));
}

/**
 * Turns what a handler throws into a code. Errors from the catalog pass unchanged; two transactions that conflict, and a row that
 * stayed locked, are Aborted; a lost database is Unavailable. Any other error is a defect: it is logged here once, and the caller
 * gets Internal without its text.
 */
function translateErrors(log: Log): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (error instanceof ConnectError) throw error;
      const rpc = rpcName(request.method);
      const reference = referenceOf(request.header);
      if (isConflict(error) || isLockTimeout(error)) throw aborted(error);
      if (isConnectionFailure(error)) {
        log.warn({ err: error, rpc, reference }, "the database is not available");
        throw unavailable(error);
      }
      log.error({ err: error, rpc, reference }, "defect");
      throw new ConnectError("internal error", Code.Internal);
    }
  };
}
