// Most requests repeat: plain GETs of a few targets, or POSTs of a few short bodies. Routing, reading and binding them again is not
// needed, so the page of a target that was served before is loaded here, before Fastify sees the request. This file must not skip the
// freshness token (the page is loaded anew for each request), the request checks (`keepsRules` admits only requests that cannot fail
// them), the session, load shedding, the deadline, the metrics, the log and the span. Everything else goes to the router.
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { hasSeveralHosts } from "../../services/platform/connect/host-header.ts";
import type { Log } from "../../services/platform/log.ts";
import { inSpan } from "../../services/platform/tracing/span.ts";
import { PublicError } from "./errors/public-error.ts";
import { beforeDeadline, type Deadline, deadlineAfter } from "./limits/deadline.ts";
import { maxHeaderBytes } from "./limits/limits.ts";
import type { LoadShedding } from "./load/load-shedding.ts";
import { logFastPath } from "./log/request-log.ts";
import type { RequestMetrics, RequestTally } from "./log/request-metrics.ts";
import type { RequestSpans } from "./log/request-spans.ts";
import { acceptedEncoding, type Encoding } from "./replies/encoding.ts";
import { type Page, refusalPage } from "./replies/page.ts";
import { LeftToRouter, type PageLoaders } from "./replies/page-loaders.ts";
import { sendPlainPage, sendScript } from "./replies/send-page.ts";
import { headerBytes } from "./requests/header-bytes.ts";
import { jsonpTarget } from "./requests/jsonp-target.ts";
import { readBody } from "./requests/read-body.ts";
import { isShortPost, typedBody } from "./requests/short-post.ts";

/**
 * Answers plain GETs of targets that were served before: the same target without a body is the same request, under any callback.
 * And POSTs to targets that were served before with the same short body, batches too.
 */
export interface FastPath {
  /**
   * Remembers how to load the page of a target without a callback, after a GET of it was answered with 200 or a refusal that
   * is cached, or a POST.
   * @param body of the POST, with its type; undefined for a GET
   */
  remember(target: string, operation: string, loaders: PageLoaders, body?: string): void;
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
  /** Whose session it was when it was looked up last; undefined where that is not remembered. */
  lastUser(sessionId: string): string | undefined;
}

/** A target that was served before. */
interface KnownTarget {
  operation: string;
  tally: RequestTally;
  loaders: PageLoaders;
}

/** A request for such a target. */
interface KnownRequest {
  known: KnownTarget;
  /** The function that the reply is wrapped into, when this is a JSONP call. */
  callback?: string;
}

export function createFastPath({ log, load, requests, timeoutMs, spans, callers }: FastPathParts): FastPath {
  const targets = new LRUCache<string, KnownTarget>({
    maxSize: maxMemory,
    // Measured: 1,100 for anonymous callers, 800 for viewers, and what the cache itself takes.
    sizeCalculation: ({ loaders }, target) => 2_000 + 700 * (loaders.items ?? 0) + 8 * target.length,
  });
  /** Targets of POSTs that were answered: only for these the fast path reads the body. */
  const posted = new LRUCache<string, true>({ max: maxPosted });
  const failures = new WeakMap<IncomingMessage, unknown>();
  let closed = false;

  function findKnown(request: IncomingMessage): KnownRequest | undefined {
    if (closed || (request.method !== "GET" && request.method !== "HEAD") || !isBare(request)) return undefined;
    if (load.isOverloaded() || !keepsRules(request)) return undefined;
    const url = request.url as string;
    const known = targets.get(url);
    if (known !== undefined) return { known };
    const call = jsonpTarget(url);
    const wrapped = call && targets.get(call.target);
    return wrapped && { known: wrapped, callback: call.callback };
  }

  /** Whether a request may be a POST that was answered before. */
  function mayBePosted(request: IncomingMessage): boolean {
    if (closed || !isShortPost(request) || !posted.has(request.url as string)) return false;
    return !load.isOverloaded() && keepsRules(request);
  }

  async function findPosted(request: IncomingMessage, response: ServerResponse): Promise<KnownRequest | undefined> {
    const body = await readBody(request, response, load.bodies);
    const known = targets.get(postKey(request.url as string, typedBody(request.headers, body)));
    return known && { known };
  }

  /** @param reply a page, or a cached refusal */
  function answer(
    { known: { operation, tally }, callback }: KnownRequest,
    reply: Page | PublicError,
    request: IncomingMessage,
    response: ServerResponse,
    start: number,
  ): void {
    const error = reply instanceof PublicError ? reply : undefined;
    if (log.isLevelEnabled("info")) {
      const errorCode = error?.responseStatus.errorCode;
      logFastPath(log, { operation, method: request.method as string, callback, errorCode }, response, start);
    }
    const page = reply instanceof PublicError ? refusalPage(reply) : reply;
    const status =
      callback === undefined
        ? sendPlainPage(page, request, response, error?.status)
        : sendScript(page, callback, request, response);
    tally.note(error?.status ?? status, performance.now() - start);
    spans?.end(request, operation, status);
  }

  async function loadFor(sessionId: string, { loaders }: KnownTarget, encoding: Encoding, deadline: Deadline) {
    const last = callers.lastUser(sessionId);
    // Asked for together with the session's user, so that a read waits for Redis once.
    const tokens = last === undefined ? undefined : loaders.viewer?.tokens(last, deadline);
    // Awaited only if the session still has that user.
    tokens?.catch(() => {});
    const viewer = await callers.findUser(sessionId, deadline);
    if (viewer === undefined || loaders.viewer === undefined) return loaders.anonymous(encoding, deadline);
    return loaders.viewer.page(viewer, deadline, viewer === last ? tokens : undefined);
  }

  function serve(asked: KnownRequest, request: IncomingMessage, response: ServerResponse, toRouter: () => void): void {
    const { known, callback } = asked;
    // JSONP calls are anonymous.
    const sessionId = callback === undefined ? callers.sessionOf(request.headers) : "";
    if (sessionId === undefined || (sessionId !== "" && known.loaders.viewer === undefined)) return toRouter();
    const start = performance.now();
    const encoding = acceptedEncoding(request.headers["accept-encoding"]);
    const span = spans?.of(request);
    const deadline = deadlineAfter(timeoutMs);
    const found = inSpan(span, () => {
      if (callback !== undefined) return known.loaders.anonymous("script", deadline);
      if (sessionId === "") return known.loaders.anonymous(encoding, deadline);
      return loadFor(sessionId, known, encoding, deadline);
    });
    if (!(found instanceof Promise)) return answer(asked, found, request, response, start);
    load.begin();
    beforeDeadline(deadline, found).then(
      (page) => {
        load.end();
        answer(asked, page, request, response, start);
      },
      (error: unknown) => {
        load.end();
        if (error instanceof PublicError) return answer(asked, error, request, response, start);
        if (error instanceof LeftToRouter) return toRouter();
        // The router answers with this error; it can still read the whole request.
        failures.set(request, error);
        toRouter();
      },
    );
  }

  return {
    remember(target, operation, loaders, body) {
      if (body !== undefined) posted.set(target, true);
      const key = body === undefined ? target : postKey(target, body);
      targets.set(key, { operation, tally: requests.of(operation), loaders });
    },
    failureOf: (request) => failures.get(request),
    install(server) {
      const [route] = server.listeners("request") as [(request: IncomingMessage, response: ServerResponse) => void];
      server.removeAllListeners("request");
      server.on("request", (request, response) => {
        const toRouter = () => route.call(server, request, response);
        const answerOr = (asked: KnownRequest | undefined) =>
          asked === undefined || closed ? toRouter() : serve(asked, request, response, toRouter);
        // If the body cannot be read, the router answers with the error.
        if (mayBePosted(request)) findPosted(request, response).then(answerOr, toRouter);
        else answerOr(findKnown(request));
      });
    },
    close() {
      closed = true;
    },
  };
}

/** Bytes of all known targets; one of 1,000 names takes 40 KB. */
const maxMemory = 16 * 1024 * 1024;

/** Targets of POSTs that are remembered: clients use few, since the request is in the body. */
const maxPosted = 1_000;

/** A target holds no line break, so that keys are unambiguous. */
function postKey(target: string, body: string): string {
  return `${target}\n${body}`;
}

/** Whether a request has no body. */
function isBare({ headers }: IncomingMessage): boolean {
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

/** Whether a request breaks no rule that the request checks know. */
function keepsRules(request: IncomingMessage): boolean {
  const { headers } = request;
  return (
    headers.host !== undefined &&
    !hasSeveralHosts(request) &&
    headers.expect === undefined &&
    headers.upgrade === undefined &&
    headerBytes(request) <= maxHeaderBytes
  );
}
