import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { oncePer } from "../../../services/platform/once-per.ts";
import { inSpan, type Span, type Tracing } from "../../../services/platform/tracing/span.ts";
import { onceClosed } from "../requests/once-closed.ts";

/** The spans of public requests. Every trace begins here: a `traceparent` of a client is ignored. */
export interface RequestSpans {
  /** The span of a request; the first call starts it. */
  of(request: IncomingMessage): Span;
  /** Ends it. @param operation undefined for a request that is none */
  end(request: IncomingMessage, operation: string | undefined, status: number): void;
}

export function createRequestSpans(tracing: Tracing): RequestSpans {
  const of = oncePer((_request: IncomingMessage) => tracing.begin("request"));
  return {
    of,
    end(request, operation, status) {
      const span = of(request);
      span.rename(operation ?? "none");
      // No path and no query: they can hold passwords.
      span.set({ "http.request.method": request.method as string, "http.response.status_code": status });
      span.end(status >= 500 ? `${status}` : undefined);
    },
  };
}

/** Runs each request of an application in its span; to be added before all other hooks. */
export function traceRequests(app: FastifyInstance, spans: RequestSpans): void {
  app.addHook("onRequest", (request, reply, done) => {
    const span = spans.of(request.raw);
    span.set({ reference: request.id });
    onceClosed(request.raw, reply.raw, () => spans.end(request.raw, request.context.operation, reply.raw.statusCode));
    inSpan(span, done);
  });
}
