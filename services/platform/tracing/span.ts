import { AsyncLocalStorage } from "node:async_hooks";

/** What a span is about: a request that was received, one that was sent, or something inside. */
export type SpanKind = "server" | "client";

/** Facts of a span. They leave the house: never a value that a client sent. */
export type Attributes = Readonly<Record<string, string | number>>;

/** A piece of work of one trace. */
export interface Span {
  /** Names the trace in logs: 32 hexadecimal digits. */
  traceId: string;
  /** This span as a header for the other side (W3C Trace Context). */
  traceparent: string;
  /** A part of this piece of work, which begins now. */
  child(name: string, kind: SpanKind, attributes: Attributes): Span;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** @param error what went wrong, as a code; texts of errors may hold values */
  end(error?: string): void;
}

const current = new AsyncLocalStorage<Span | undefined>();

/** The span in which this code runs; undefined outside of one, so always where nothing is traced. */
export function currentSpan(): Span | undefined {
  return current.getStore();
}

/** Runs work in a span, or outside of any. Costs nothing where nothing is traced. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return span === current.getStore() ? work() : current.run(span, work);
}

/** Runs work in a span and ends it with the work. @param codeOf what an error is called */
export async function withSpan<T>(span: Span, codeOf: (error: unknown) => string, work: () => Promise<T>): Promise<T> {
  try {
    const result = await inSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(codeOf(error));
    throw error;
  }
}
