import { AsyncLocalStorage } from "node:async_hooks";

/** Attributes of a span. They are sent to another system: never a value that a client sent. */
export type Attributes = Readonly<Record<string, string | number>>;

/** A piece of work of one trace. */
export interface Span {
  /** Names the trace in logs: 32 hexadecimal digits. */
  traceId: string;
  /** The header that names this span to the other side (W3C Trace Context). */
  traceparent: string;
  /** A span inside this one, of a request to another process, which begins now. */
  child(name: string, attributes: Attributes): Span;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** @param error a code; the text of an error may hold values */
  end(error?: string): void;
}

/** Begins traces. */
export interface Tracing {
  /**
   * A span whose cause is outside this process.
   * @param traceparent the header that names the cause; a new trace begins without one, or with one that cannot be parsed
   */
  begin(name: string, traceparent?: string): Span;
  /** Sends the remaining spans, for at most half a second. Never rejects. */
  close(): Promise<void>;
}

const current = new AsyncLocalStorage<Span | undefined>();

/** The span in which this code runs; undefined outside of spans, and always when nothing is traced. */
export function currentSpan(): Span | undefined {
  return current.getStore();
}

/** Runs work in a span, or outside of any. Costs nothing when nothing is traced. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return span === current.getStore() ? work() : current.run(span, work);
}

/** Runs work in a span, which ends with it. @param codeOf the code of an error */
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
