import type { EnvironmentReader } from "../environment.ts";
import type { Log } from "../log.ts";
import type { Tracing } from "./span.ts";

/** Where a process sends what it traces. */
export interface TracingOptions {
  /** The address of an OTLP receiver, without `/v1/traces`; undefined: nothing is traced, and OpenTelemetry is not loaded. */
  tracesUrl: string | undefined;
  /** Percent of the traces that begin here that are recorded. */
  tracePercent: number;
}

/** Reads OTEL_EXPORTER_OTLP_ENDPOINT and TRACE_PERCENT. */
export function readTracing(read: EnvironmentReader): TracingOptions {
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
