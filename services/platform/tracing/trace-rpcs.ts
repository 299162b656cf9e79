import type { Interceptor } from "@connectrpc/connect";
import { codeName, rpcName } from "../connect/rpc-names.ts";
import { currentSpan, type Tracing, withSpan } from "./span.ts";

/** The header that names the span which caused a call (W3C Trace Context). */
const traceparentHeader = "traceparent";

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
