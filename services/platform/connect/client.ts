import type { Interceptor, Transport } from "@connectrpc/connect";
import { traceCalls } from "../tracing/trace-rpcs.ts";
import { callerHeader, serviceTokenHeader } from "./identity.ts";
import { createUnaryTransport } from "./unary-transport.ts";

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
 */
export function createServiceTransport(options: ServiceTransportOptions): ServiceTransport {
  return createUnaryTransport({
    baseUrl: options.baseUrl,
    headers: {
      [callerHeader]: options.caller,
      ...(options.serviceToken && { [serviceTokenHeader]: options.serviceToken }),
    },
    deadlineMs: options.deadlineMs ?? 10_000,
    interceptors: [...(options.interceptors ?? []), traceCalls()],
  });
}
