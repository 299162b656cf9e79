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
 * services and avoids the session faults of the HTTP/2 client. Never compressed: services have more bandwidth than time.
 */
export function createServiceTransport(options: ServiceTransportOptions): ServiceTransport {
  // Closed before the server's keep-alive of 65 s ends, so that no call uses a socket that is closing.
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
