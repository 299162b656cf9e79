import http from "node:http";
import https from "node:https";
import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { traceCalls } from "../tracing/tracing.ts";
import { callerHeader, serviceTokenHeader } from "./identity.ts";

export interface ServiceTransportOptions {
  /** The service's address, such as http://127.0.0.1:4001. */
  baseUrl: string;
  /** The name of the calling process: `gateway`, `account`, `cli`. Sent with every call. */
  caller: string;
  /** Sent with every call; services refuse callers outside loopback without one. */
  serviceToken?: string | undefined;
  /** The deadline of every call, in milliseconds. Default 10 s: no user waits longer for an answer. */
  deadlineMs?: number;
  /** Interceptors of every call, outermost first. */
  interceptors?: Interceptor[];
}

/** A transport, with a way to close its idle connections. */
export interface ServiceTransport {
  transport: Transport;
  close(): void;
}

/**
 * A transport to one of our services: binary Connect over HTTP/1.1 with keep-alive, which is as fast as HTTP/2 between our
 * services and avoids the session faults of the HTTP/2 client. Never compressed: that would cost more time than it saves.
 *
 * A call rejects with the error that the service answers; with DeadlineExceeded at its deadline, with Canceled when its signal is
 * aborted; and with Unavailable when the connection breaks, or for a reply that none of our services wrote.
 */
export function createServiceTransport(options: ServiceTransportOptions): ServiceTransport {
  const { Agent } = new URL(options.baseUrl).protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: idleSocketMs });
  const transport = createConnectTransport({
    baseUrl: options.baseUrl,
    httpVersion: "1.1",
    nodeOptions: { agent },
    acceptCompression: [],
    defaultTimeoutMs: options.deadlineMs ?? 10_000,
    interceptors: [...(options.interceptors ?? []), traceCalls(), addHeaders(options), reportNoAnswer],
  });
  return { transport, close: () => agent.destroy() };
}

const timeoutHeader = "connect-timeout-ms";

/** Less than the server's keep-alive of 65 s, so that no call uses a socket that is closing. */
const idleSocketMs = 30_000;

function addHeaders({ caller, serviceToken }: ServiceTransportOptions): Interceptor {
  return (next) => (request) => {
    request.header.set(callerHeader, caller);
    if (serviceToken) request.header.set(serviceTokenHeader, serviceToken);
    // The library sends the fraction of a deadline, and its handlers refuse it.
    request.header.set(timeoutHeader, `${Math.ceil(Number(request.header.get(timeoutHeader)))}`);
    return next(request);
  };
}

/**
 * Makes Unavailable of what the library reports as Aborted, Internal or Unknown when a connection breaks or something else than a
 * service answers. Those codes are only for errors that a service reports itself.
 */
const reportNoAnswer: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (reason) {
    const error = ConnectError.from(reason);
    // Services answer no Unknown: this is the library's code for a JSON body that holds none.
    const isAnswer = error.isWireError && error.code !== Code.Unknown;
    if (isAnswer || request.signal.aborted || !ofConnection.has(error.code)) throw error;
    throw new ConnectError(error.rawMessage, Code.Unavailable, undefined, undefined, error.cause ?? error);
  }
};

const ofConnection: ReadonlySet<Code> = new Set([Code.Aborted, Code.Internal, Code.Unknown]);
