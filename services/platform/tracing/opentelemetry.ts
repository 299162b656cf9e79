// The only file that imports OpenTelemetry; tracing.ts loads it when tracing is configured.
import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import * as api from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Log } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Span, Tracing } from "./span.ts";

/** Tracing by the OpenTelemetry SDK: OTLP over HTTP, in batches, at most a second after the end of a span. */
export function createTracing(name: string, url: string, percent: number, log: Log): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: 2_000 });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": `roost-${name}` }),
    // The process that begins a trace decides whether it is recorded.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: watched(exporter, log), scheduledDelayMillis: 1_000 })],
  });
  const tracer = provider.getTracer("roost");
  return {
    begin(name, traceparent) {
      const cause = parseTraceparent(traceparent);
      const context = cause ? api.trace.setSpanContext(api.ROOT_CONTEXT, cause) : api.ROOT_CONTEXT;
      return spanOf(tracer, tracer.startSpan(name, { kind: api.SpanKind.SERVER }, context));
    },
    close: () => withTimeout(closeTimeoutMs, provider.shutdown()).catch(() => {}),
  };
}

/** Milliseconds. A stop may take 10 s, of which the longest drain and requests that do not end need 9 (lifecycle.ts). */
const closeTimeoutMs = 500;

// A receiver, or a balancer before it, may answer and close before it has read everything. At the end of an answer Node removes its own
// listener from the connection, even if the request is still being written; then an error of that write would end the process.
subscribe("http.client.response.finish", (message) => {
  const { socket } = (message as { request: ClientRequest }).request;
  if (socket === null || listenedTo.has(socket)) return;
  listenedTo.add(socket.on("error", () => {}));
});

const listenedTo = new WeakSet<Socket>();

function spanOf(tracer: api.Tracer, span: api.Span): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    child(name, attributes) {
      const context = api.trace.setSpan(api.ROOT_CONTEXT, span);
      return spanOf(tracer, tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes }, context));
    },
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    end(error) {
      if (error !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR }).setAttribute("error.type", error);
      span.end();
    },
  };
}

/** Parses W3C Trace Context §3.2; fields that a later version appends are ignored. */
function parseTraceparent(header: string | undefined): api.SpanContext | undefined {
  const match = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(header ?? "");
  if (match === null) return undefined;
  const [, traceId = "", spanId = "", flags = ""] = match;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return api.isSpanContextValid(context) ? context : undefined;
}

/** Logs once that spans are lost, and once that they arrive again. Requests do not fail because of it. */
function watched(exporter: SpanExporter, log: Log): SpanExporter {
  let isLosing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const loses = result.code !== 0;
        if (loses && !isLosing) log.warn({ err: result.error }, "traces get lost");
        if (!loses && isLosing) log.info("traces arrive again");
        isLosing = loses;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
