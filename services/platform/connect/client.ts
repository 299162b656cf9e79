import { Agent } from "node:http";
import type { Interceptor, Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { traceCalls } from "../tracing/trace-rpcs.ts";
import { callerHeader } from "./identity.ts";
import { markTransportErrors } from "./transport-errors.ts";

export interface ServiceTransportOptions {
  /** The service's address, such as http://127.0.0.1:4001. */
  baseUrl: string;
  /** Who calls, in a word: `gateway`, `account`, `cli`. Presented on every call. */
  caller: string;
  /** Presented on every call; services refuse callers outside loopback that have none. */
  serviceToken?: string | undefined;
  /** Every call has a deadline, in milliseconds. Default 10 s: longer than any answer is of use to a person. */
  deadlineMs?: number;
  /** What goes around every call, outermost first. */
  interceptors?: Interceptor[];
}

/** A transport, with a way to close its idle connections. */
export interface ServiceTransport {
  transport: Transport;
  close(): void;
}

/**
 * A transport to one of our services: binary Connect over HTTP/1.1 with keep-alive (as fast as h2 between our services,
 * and free of the session faults of the h2 client), never compressed (services have more bandwidth than time).
 */
export function createServiceTransport(options: ServiceTransportOptions): ServiceTransport {
  // Idle sockets go before the server's own keep-alive of 65 s ends, so that no call meets a closing socket.
  const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 30_000 });
  const token = options.serviceToken ? [present(serviceTokenHeader, options.serviceToken)] : [];
  const transport = createConnectTransport({
    baseUrl: options.baseUrl,
    httpVersion: "1.1",
    useBinaryFormat: true,
    acceptCompression: [],
    defaultTimeoutMs: options.deadlineMs ?? 10_000,
    nodeOptions: { agent },
    interceptors: [
      ...(options.interceptors ?? []),
      traceCalls(),
      present(callerHeader, options.caller),
      ...token,
      markTransportErrors(),
    ],
  });
  return { transport, close: () => agent.destroy() };
}

function present(name: string, value: string): Interceptor {
  return (next) => (request) => {
    request.header.set(name, value);
    return next(request);
  };
}

/** The header that carries the service token. */
export const serviceTokenHeader = "roost-service-token";
