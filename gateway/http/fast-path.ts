import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { hasSeveralHosts } from "../../services/platform/connect/host-header.ts";
import type { Log } from "../../services/platform/log.ts";
import { inSpan } from "../../services/platform/tracing/span.ts";
import { beforeDeadline, deadlineAfter } from "./limits/deadline.ts";
import { maxHeaderBytes } from "./limits/limits.ts";
import type { Load } from "./load/load-shedding.ts";
import { logShortcut } from "./log/request-log.ts";
import type { RequestMetrics, RequestTally } from "./log/request-metrics.ts";
import type { RequestSpans } from "./log/request-spans.ts";
import { acceptedEncoding } from "./replies/encoding.ts";
import { isKnown } from "./replies/entity-tag.ts";
import type { LoadPage, Page } from "./replies/page.ts";
import { headerBytes } from "./requests/header-bytes.ts";

/**
 * Remembers what targets ask for, so that a plain GET of one that was served before is neither routed, read nor bound
 * again: the same target without a body is the same request. Everything that is not plain takes the whole way.
 */
export interface Shortcut {
  /** Notes what a GET of this target, answered with 200 to nobody in particular, asked for. */
  remember(target: string, operation: string, prepared: LoadPage): void;
  /** Why a request's own answer failed, for the whole way, which then says so and does not ask again. */
  failureOf(request: IncomingMessage): unknown;
  /** Stands before the server's own request listener. */
  stand(server: Server): void;
  /** From now on every request takes the whole way, which tells clients that their connection ends. */
  close(): void;
}

interface Way {
  operation: string;
  requests: RequestTally;
  prepared: LoadPage;
}

/**
 * @param load when it is too much every request takes the whole way, which says so
 * @param timeoutMs in which a request is to be answered
 * @param spans of requests, when they are traced
 */
export function createShortcut(
  log: Log,
  load: Load,
  metrics: RequestMetrics,
  timeoutMs: number,
  spans?: RequestSpans,
): Shortcut {
  const ways = new LRUCache<string, Way>({
    maxSize: maxMemory,
    sizeCalculation: (_way, target) => 500 + 8 * target.length,
  });
  const failures = new WeakMap<IncomingMessage, unknown>();
  let closed = false;

  function wayOf(request: IncomingMessage): Way | undefined {
    if (closed || (request.method !== "GET" && request.method !== "HEAD") || !isPlain(request)) return undefined;
    if (load.isTooMuch()) return undefined;
    return ways.get(request.url as string);
  }

  function answer(way: Way, page: Page, request: IncomingMessage, response: ServerResponse, start: number): void {
    if (log.isLevelEnabled("info")) logShortcut(log, way.operation, request.method as string, response, start);
    const status = send(page, request, response);
    way.requests.note(status, performance.now() - start);
    spans?.end(request, way.operation, status);
  }

  return {
    remember: (target, operation, prepared) =>
      void ways.set(target, { operation, requests: metrics.of(operation), prepared }),
    failureOf: (request) => failures.get(request),
    stand(server) {
      const [serve] = server.listeners("request") as [(request: IncomingMessage, response: ServerResponse) => void];
      server.removeAllListeners("request");
      server.on("request", (request, response) => {
        const way = wayOf(request);
        if (way === undefined) return serve.call(server, request, response);
        const start = performance.now();
        const encoding = acceptedEncoding(request.headers["accept-encoding"]);
        const span = spans?.of(request);
        const deadline = deadlineAfter(timeoutMs);
        const found = inSpan(span, () => way.prepared(encoding, deadline));
        if (!(found instanceof Promise)) return answer(way, found, request, response, start);
        // When it fails, the whole way says what is wrong; nothing of the request has been used up.
        load.begin();
        beforeDeadline(deadline, found).then(
          (page) => {
            load.end();
            answer(way, page, request, response, start);
          },
          (error: unknown) => {
            load.end();
            failures.set(request, error);
            serve.call(server, request, response);
          },
        );
      });
    },
    close() {
      closed = true;
    },
  };
}

/** Bytes of targets and what they ask for; a target of 1,000 names is 40 KB of them. */
const maxMemory = 16 * 1024 * 1024;

/** Whether a request could be anybody's, holds nothing but its target, and breaks no rule that the whole way checks. */
function isPlain(request: IncomingMessage): boolean {
  const { headers } = request;
  return (
    headers.authorization === undefined &&
    headers.cookie === undefined &&
    headers.origin === undefined &&
    headers.host !== undefined &&
    !hasSeveralHosts(request) &&
    headers.expect === undefined &&
    headers.upgrade === undefined &&
    headers["content-length"] === undefined &&
    headers["transfer-encoding"] === undefined &&
    headerBytes(request) <= maxHeaderBytes
  );
}

/** Sends a page, or says that the client has it; gives the status. */
function send(page: Page, request: IncomingMessage, response: ServerResponse): 200 | 304 {
  if (isKnown(request.headers["if-none-match"], page.etag)) {
    response.writeHead(304, page.notModifiedHead as string[]);
    response.end();
    return 304;
  }
  response.writeHead(200, page.head as string[]);
  response.end(page.bytes);
  return 200;
}
