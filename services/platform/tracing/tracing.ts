import type { Log } from "../log.ts";
import type { Span } from "./span.ts";

/** Where a process sends what it traces. */
export interface TracingOptions {
  /** The address of an OTLP receiver, without `/v1/traces`; undefined: nothing is traced, and nothing loaded for it. */
  tracesUrl: string | undefined;
  /** Of a hundred traces that begin here, how many are recorded. */
  tracePercent: number;
}

/** The beginning of traces. */
export interface Tracing {
  /**
   * A span whose cause lies outside of this process.
   * @param traceparent the cause, as a header says it; a new trace begins without one, or with one that cannot be read
   */
  begin(name: string, traceparent?: string): Span;
  /** Sends what is left, for 3 s at most. Never rejects. */
  close(): Promise<void>;
}

/** Starts tracing when the settings say where to; undefined when they do not. @param name the process, for the receiver */
export async function startTracing(name: string, options: TracingOptions, log: Log): Promise<Tracing | undefined> {
  if (options.tracesUrl === undefined) return undefined;
  const { createTracing } = await import("./opentelemetry.ts");
  return createTracing(name, options.tracesUrl, options.tracePercent, log);
}
