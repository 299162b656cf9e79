import type { Interceptor } from "@connectrpc/connect";
import { codeName, rpcName } from "../connect/rpc-names.ts";
import type { EnvironmentReader } from "../environment.ts";
import type { Log } from "../log.ts";
import { currentSpan, type Tracing, withSpan } from "./span.ts";

/** Where a process sends what it traces. */
export type TracingOptions = ReturnType<typeof readTracing>;

/** Reads OTEL_EXPORTER_OTLP_ENDPOINT, without which `tracesUrl` is undefined and OpenTelemetry is not loaded, and TRACE_PERCENT. */
export function readTracing(read: EnvironmentReader) {
  const tracesUrl = read.url("OTEL_EXPORTER_OTLP_ENDPOINT", "", tracesUrlMeaning) || undefined;
  if (tracesUrl?.endsWith("/v1/traces")) {
    read.refuse("OTEL_EXPORTER_OTLP_ENDPOINT must be without /v1/traces, which is added to it");
  }
  return { tracesUrl, tracePercent: read.integer("TRACE_PERCENT", 100, 0, 100, tracePercentMeaning) };
}

const tracesUrlMeaning =
  "An OTLP receiver for traces, over HTTP, without `/v1/traces`. When unset, nothing is traced or loaded for it.";
const tracePercentMeaning = "Percentage of the traces begun here that is recorded.";

/** Starts tracing when the settings name a receiver, otherwise returns undefined. @param name the process, for the receiver */
export async function startTracing(name: string, options: TracingOptions, log: Log): Promise<Tracing | undefined> {
  if (options.tracesUrl === undefined) return undefined;
  const { createTracing } = await import("./opentelemetry.ts");
  return createTracing(name, options.tracesUrl, options.tracePercent, log);
}

/** The header that names the span which caused a call (W3C Trace Context). */
export const traceparentHeader = "traceparent";

/** Gives each served RPC a span under that of its caller. gRPC's own services, such as health, get none. */
export function traceServed(tracing: Tracing): Interceptor {
  return (next) => (request) => {
    if (request.service.typeName.startsWith("grpc.")) return next(request);
    const cause = request.header.get(traceparentHeader) ?? undefined;
    return withSpan(tracing.begin(rpcName(request.method), cause), codeName, () => next(request));
  };
}

/** Gives each call that is made inside a span one of its own, and sends its name along. */
export function traceCalls(): Interceptor {
  return (next) => (request) => {
    const cause = currentSpan();
    if (cause === undefined) return next(request);
    const span = cause.child(rpcName(request.method), { "rpc.system": "connect_rpc" });
    request.header.set(traceparentHeader, span.traceparent);
    return withSpan(span, codeName, () => next(request));
  };
}
