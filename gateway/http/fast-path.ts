// Most requests are plain GETs of a few targets, over and over; to route, read and bind each of them again would be work for
// nothing. So the page of a target that was served before is loaded here, before Fastify sees the request. This file may never
// skip the freshness token (the page is loaded anew for each request), the request checks (`isPlain` admits only requests that
// cannot fail them), the session, load shedding, the deadline, the metrics, the log and the span. Everything else is left to the router.
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { hasSeveralHosts } from "../../services/platform/connect/host-header.ts";
import type { Log } from "../../services/platform/log.ts";
import { inSpan } from "../../services/platform/tracing/span.ts";
import { beforeDeadline, type Deadline, deadlineAfter } from "./limits/deadline.ts";
import { maxHeaderBytes } from "./limits/limits.ts";
import type { LoadShedding } from "./load/load-shedding.ts";
import { logFastPath } from "./log/request-log.ts";
import type { RequestMetrics, RequestTally } from "./log/request-metrics.ts";
import type { RequestSpans } from "./log/request-spans.ts";
import { withOrigin } from "./replies/common-headers.ts";
import { acceptedEncoding, type Encoding } from "./replies/encoding.ts";
import { isKnown } from "./replies/entity-tag.ts";
import type { Page, PageLoaders } from "./replies/page.ts";
import { headerBytes } from "./requests/header-bytes.ts";

/** Answers plain GETs of targets that were served before: the same target without a body is the same request. */
export interface FastPath {
  /** Remembers how to load the page of a target, after a GET of it was answered with 200. */
  remember(target: string, operation: string, loaders: PageLoaders): void;
  /** Why the fast path failed to answer a request; `runOperation` then fails with that, and asks no service again. */
  failureOf(request: IncomingMessage): unknown;
  /** Puts the fast path before the server's own request listener. */
  install(server: Server): void;
  /** From now on every request goes to the router, which tells clients that their connection ends. */
  close(): void;
}

export interface FastPathParts {
  log: Log;
  /** Under overload every request goes to the router, which refuses it. */
  load: LoadShedding;
  requests: RequestMetrics;
  /** Milliseconds in which a request is to be answered. */
  timeoutMs: number;
  /** Of requests, when they are traced. */
  spans: RequestSpans | undefined;
  callers: Callers;
}

/** Finds out who calls. */
export interface Callers {
  /** The session id that a request for a read presents, "" for none; undefined where its headers alone do not tell. */
  sessionOf(headers: IncomingHttpHeaders): string | undefined;
  /** The user id of a session, undefined for one that is over. Rejects with ConnectError. */
  findUser(sessionId: string, deadline: Deadline): Promise<string | undefined>;
}

/** What is known of a target. */
interface KnownTarget {
  operation: string;
  tally: RequestTally;
  loaders: PageLoaders;
}

export function createFastPath({ log, load, requests, timeoutMs, spans, callers }: FastPathParts): FastPath {
  const targets = new LRUCache<string, KnownTarget>({
    maxSize: maxMemory,
    sizeCalculation: (_known, target) => 500 + 8 * target.length,
  });
  const failures = new WeakMap<IncomingMessage, unknown>();
  let closed = false;

  function findTarget(request: IncomingMessage): KnownTarget | undefined {
    if (closed || (request.method !== "GET" && request.method !== "HEAD") || !isPlain(request)) return undefined;
    if (load.isOverloaded()) return undefined;
    return targets.get(request.url as string);
  }

  function answer(
    { operation, tally }: KnownTarget,
    page: Page,
    request: IncomingMessage,
    response: ServerResponse,
    start: number,
  ): void {
    if (log.isLevelEnabled("info")) logFastPath(log, operation, request.method as string, response, start);
    const status = send(page, request, response);
    tally.note(status, performance.now() - start);
    spans?.end(request, operation, status);
  }

  async function loadFor(sessionId: string, { loaders }: KnownTarget, encoding: Encoding, deadline: Deadline) {
    const viewer = await callers.findUser(sessionId, deadline);
    return viewer === undefined || loaders.viewer === undefined
      ? loaders.anonymous(encoding, deadline)
      : loaders.viewer(viewer, deadline);
  }

  function serve(known: KnownTarget, request: IncomingMessage, response: ServerResponse, toRouter: () => void): void {
    const sessionId = callers.sessionOf(request.headers);
    if (sessionId === undefined || (sessionId !== "" && known.loaders.viewer === undefined)) return toRouter();
    const start = performance.now();
    const encoding = acceptedEncoding(request.headers["accept-encoding"]);
    const span = spans?.of(request);
    const deadline = deadlineAfter(timeoutMs);
    const found = inSpan(span, () =>
      sessionId === "" ? known.loaders.anonymous(encoding, deadline) : loadFor(sessionId, known, encoding, deadline),
    );
    if (!(found instanceof Promise)) return answer(known, found, request, response, start);
    load.begin();
    beforeDeadline(deadline, found).then(
      (page) => {
        load.end();
        answer(known, page, request, response, start);
      },
      (error: unknown) => {
        load.end();
        // The router answers with it; nothing of the request has been used up.
        failures.set(request, error);
        toRouter();
      },
    );
  }

  return {
    remember: (target, operation, loaders) =>
      void targets.set(target, { operation, tally: requests.of(operation), loaders }),
    failureOf: (request) => failures.get(request),
    install(server) {
      const [route] = server.listeners("request") as [(request: IncomingMessage, response: ServerResponse) => void];
      server.removeAllListeners("request");
      server.on("request", (request, response) => {
        const known = findTarget(request);
        const toRouter = () => route.call(server, request, response);
        if (known === undefined) toRouter();
        else serve(known, request, response, toRouter);
      });
    },
    close() {
      closed = true;
    },
  };
}

/** Bytes of targets and what is known of them; a target of 1,000 names takes 40 KB. */
const maxMemory = 16 * 1024 * 1024;

/** Whether a request has nothing but its target and its caller, and breaks no rule that the request checks know. */
function isPlain(request: IncomingMessage): boolean {
  const { headers } = request;
  return (
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
  const { origin } = request.headers;
  const head = (shared: readonly string[]) => (origin === undefined ? shared : withOrigin(shared, origin)) as string[];
  if (isKnown(request.headers["if-none-match"], page.etag)) {
    response.writeHead(304, head(page.notModifiedHead));
    response.end();
    return 304;
  }
  response.writeHead(200, head(page.head));
  response.end(page.bytes);
  return 200;
}
